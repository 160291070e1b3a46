#!/usr/bin/env python3
"""Trains the lab's model with PyTorch on the CPU, from the same initial weights on the same tokens, and compares the losses.

    python3 tests/lab/reference.py build/zerolab            compares; exit 1 where a loss is off by more than TOLERANCE
    python3 tests/lab/reference.py build/zerolab --write    also keeps PyTorch's losses in tests/lab/reference.txt

It says so and exits 0 where torch is not installed. In fp32, without anything of zerolab but its file of initial weights (--weights), its
bundled text, and its losses.
"""
import json, math, os, struct, subprocess, sys, tempfile

TOLERANCE = 2e-5  # of a loss, relative
ARGUMENTS = "--model tiny --batch 4 --steps 40 --seed 3 --precision fp32 --rate 0.002 --warmup 5 --decay 0.1 --clip 1".split()
BATCH, STEPS, SEED, RATE, WARMUP, DECAY, CLIP = 4, 40, 3, 0.002, 5, 0.1, 1.0
HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = os.path.join(HERE, "..", "..", "data", "corpus", "harbour.txt")
KEPT = os.path.join(HERE, "reference.txt")

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("skipped: torch is not installed here")
    sys.exit(0)


def read_weights(path):
    """{(unit, tensor): values}, and (layers, width, heads, seq, vocab): the format stands in src/lab/model.h."""
    with open(path, "rb") as f:
        assert f.readline() == b"zerolab-weights 1\n"
        shape = [int(word) for word in f.readline().split()]
        rows = [f.readline().split() for _ in range(int(f.readline().split()[1]))]
        assert f.readline() == b"\n"
        weights = {}
        for unit, name, height, width in rows:
            height, width = int(height), int(width)
            count = max(height, 1) * width
            values = torch.tensor(struct.unpack("<%df" % count, f.read(4 * count)))
            weights[int(unit), name.decode()] = (values.view(height, width) if height else values).requires_grad_()
        return shape, weights


def chance(key, place):
    """SplitMix64 by counter: src/lab/chance.h."""
    mask = 2**64 - 1
    z = (key + (place + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def sequences(text, seq, first):
    """Inputs and targets of a step's batch, as src/lab/tokens.c draws them."""
    key = chance(SEED, 1 << 40)
    starts = [chance(key, first + i) * (len(text) - seq) >> 64 for i in range(BATCH)]
    rows = torch.tensor([list(text[s : s + seq + 1]) for s in starts])
    return rows[:, :-1], rows[:, 1:]


def loss_of(w, shape, inputs, targets):
    layers, width, heads, seq, vocab = shape
    norm = lambda x, unit, name: F.layer_norm(x, (width,), w[unit, name + "weight"], w[unit, name + "bias"])
    linear = lambda x, unit, name: F.linear(x, w[unit, name + ".weight"], w[unit, name + ".bias"])
    split = lambda x: x.view(BATCH, seq, heads, width // heads).transpose(1, 2)
    future = torch.full((seq, seq), -math.inf, device=inputs.device).triu(1)
    x = w[0, "wte"][inputs] + w[0, "wpe"]
    for unit in range(1, layers + 1):
        q, k, v = (split(part) for part in linear(norm(x, unit, "ln1."), unit, "qkv").split(width, 2))
        scores = (q @ k.transpose(2, 3) / math.sqrt(width // heads) + future).softmax(3)
        x = x + linear((scores @ v).transpose(1, 2).reshape(BATCH, seq, width), unit, "proj")
        x = x + linear(F.gelu(linear(norm(x, unit, "ln2."), unit, "fc"), approximate="tanh"), unit, "out")
    head = w.get((layers + 2, "weight"), w[0, "wte"])  # --untied: a table of its own
    logits = norm(x, layers + 1, "") @ head.t()
    return F.cross_entropy(logits.view(-1, vocab), targets.reshape(-1))


def rate_at(step):
    if step <= WARMUP:
        return RATE * step / WARMUP
    return RATE * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - 1 - WARMUP) / (STEPS - WARMUP))))


def train(shape, weights):
    matrices = [x for x in weights.values() if x.dim() == 2]
    vectors = [x for x in weights.values() if x.dim() == 1]
    adam = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": DECAY}, {"params": vectors, "weight_decay": 0.0}], betas=(0.9, 0.95), eps=1e-8
    )
    with open(TEXT, "rb") as f:
        text = f.read()
    losses = []
    for step in range(1, STEPS + 1):
        for group in adam.param_groups:
            group["lr"] = rate_at(step)
        loss = loss_of(weights, shape, *sequences(text, shape[3], (step - 1) * BATCH))
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), CLIP)
        adam.step()
        losses.append(loss.item())
    return losses


def run_zerolab(program, weights, more):
    out = subprocess.run([program] + ARGUMENTS + more + ["--weights", weights], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [event["loss"] for event in map(json.loads, out.splitlines()) if event["event"] == "step"]


def read_safetensors(path):
    """{(unit, tensor): values} of a consolidated checkpoint, by the safetensors library; None without it."""
    try:
        from safetensors.torch import load_file
    except ImportError:
        return None
    found = load_file(path)
    last = 1 + max(int(name.split(".")[1]) for name in found if name.startswith("h."))
    weights = {}
    for name, values in found.items():
        kind, _, rest = name.partition(".")
        unit, tensor = (0, name) if not rest else (last + 1, rest) if kind == "ln_f" else (last + 2, rest) if kind == "lm_head" else (1 + int(rest.partition(".")[0]), rest.partition(".")[2])
        weights[unit, tensor] = values
    return weights


def check_checkpoint(program, folder, shape, ours, more):
    """The next loss after a checkpoint, by PyTorch from its consolidated weights: how far it is from zerolab's."""
    middle, path = STEPS // 2, os.path.join(folder, "model.safetensors")
    subprocess.run([program] + ARGUMENTS + more + ["--save", os.path.join(folder, "states"), "--save-every", str(middle)], stdout=subprocess.DEVNULL, check=True)
    subprocess.run([program, "consolidate", os.path.join(folder, "states", "step-%d" % middle), path], check=True)
    weights = read_safetensors(path)
    if weights is None:
        return "safetensors is not installed", 0
    with open(TEXT, "rb") as f:
        loss = loss_of(weights, shape, *sequences(f.read(), shape[3], middle * BATCH)).item()
    return "safetensors after step %d: next loss %.6f, zerolab's %.6f" % (middle, loss, ours[middle]), abs(loss - ours[middle]) / loss


def compare(program, more):
    """Whether losses agree, with these options more; PyTorch's losses."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights")
        ours = run_zerolab(program, path, more)
        shape, weights = read_weights(path)
        said, apart = check_checkpoint(program, folder, shape, ours, more)
        theirs = train(shape, weights)
    worst = max(abs(a - b) / b for a, b in zip(ours, theirs))
    print(said)
    print("%s: %d steps, loss %.6f to %.6f; PyTorch %s: %.6f to %.6f; farthest apart: %.2g" % (
        " ".join(more) or "tied", len(ours), ours[0], ours[-1], torch.__version__, theirs[0], theirs[-1], worst))
    return len(ours) == STEPS and max(worst, apart) <= TOLERANCE, theirs


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/zerolab"
    well, theirs = compare(program, [])
    if "--write" in sys.argv:
        with open(KEPT, "w") as f:
            f.write("# Losses of PyTorch %s on the CPU, by tests/lab/reference.py, for: zerolab %s\n" % (torch.__version__, " ".join(ARGUMENTS)))
            f.writelines("%.9g\n" % loss for loss in theirs)
    untied, _ = compare(program, ["--untied"])
    # Two ranks that send gradients as rows train the very same model on the same sequences.
    sparse, _ = compare(program, ["--untied", "--sparse-gradients", "--ranks", "2", "--batch", "2"])
    sys.exit(not (well and untied and sparse))


if __name__ == "__main__":
    main()
