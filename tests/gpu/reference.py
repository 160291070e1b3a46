#!/usr/bin/env python3
"""The lab's losses on a GPU beside PyTorch's on the same GPU, in fp32 and bf16: tests/lab/reference.py's model, weights and tokens.

    python3 tests/gpu/reference.py build/zerolab-cuda [--device cpu]      prints TAP; skipped where torch is not installed or sees no GPU

In fp32 every loss must agree with PyTorch's to 1e-4 (TF32 is off on both sides). In bf16 both round at other places, and either may have a bad
step: PyTorch's autocast was once 20 % off its own fp32 loss for one step of 40, on an H200. So ours is held against the fp32 losses, on which both
agree: each to 2e-2. How far PyTorch's own bf16 is from them is said beside it.
"""
import importlib.util, os, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [("fp32", 1e-4), ("bf16", 2e-2)]

try:
    import torch
except ImportError:
    print("ok 1 # SKIP PyTorch: torch is not installed here\n1..1")
    sys.exit(0)


def load():
    """tests/lab/reference.py as a module: it trains when it is run, not when it is read."""
    spec = importlib.util.spec_from_file_location("reference", os.path.join(HERE, "..", "lab", "reference.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def to(device, weights):
    return {key: value.detach().to(device).requires_grad_() for key, value in weights.items()}


def main():
    program = sys.argv[1]
    device = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else "cuda"
    if device == "cuda" and not torch.cuda.is_available():
        print("ok 1 # SKIP PyTorch: torch sees no GPU\n1..1")
        return 0
    torch.backends.cuda.matmul.allow_tf32 = False
    reference, failed, exact = load(), 0, None
    plain_loss, plain_sequences = reference.loss_of, reference.sequences
    reference.sequences = lambda *a: tuple(x.to(device) for x in plain_sequences(*a))
    for number, (precision, tolerance) in enumerate(CASES, 1):
        def loss_of(*a):
            with torch.autocast(device, dtype=torch.bfloat16, enabled=precision == "bf16"):
                return plain_loss(*a).float()
        reference.loss_of = loss_of
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights")
            ours = reference.run_zerolab(program, path, ["--device", "cuda", "--comm", "local", "--precision", precision])
            shape, weights = reference.read_weights(path)
            theirs = reference.train(shape, to(device, weights))
        exact = theirs if precision == "fp32" else exact
        far, far_theirs = (max(abs(a - b) / b for a, b in zip(losses, exact)) for losses in (ours, theirs))
        well = len(ours) == reference.STEPS and far <= tolerance
        failed += not well
        for step, losses in enumerate(zip(ours, theirs, exact), 1):
            if not well:
                print("# step %d: %.6f, PyTorch's %.6f, in fp32 %.6f" % ((step,) + losses))
        print("%s %d - PyTorch %s in %s: %d steps, loss %.6f to %.6f, theirs %.6f to %.6f; from fp32's, ours is %.2g off at most, theirs %.2g" % (
            "ok" if well else "not ok", number, torch.__version__, precision, len(ours), ours[0], ours[-1], theirs[0], theirs[-1], far, far_theirs))
    print("1..%d" % len(CASES))
    return failed


sys.exit(main())
