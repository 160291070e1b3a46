#!/usr/bin/env python3
"""Plain PyTorch next to zerolab: the same GPT-2 shape, AdamW and random tokens on the CPU, one process and one thread per rank.
DistributedDataParallel adds the gradients up, as stage 0 does. Prints the tokens per second of the fastest step.

    python3 tests/bench/torch_ranks.py --ranks 2 --precision bf16 --layers 12 --width 768 --heads 12 --seq 64 --vocab 50257 --batch 4

Exit status 3 if torch is not installed.
"""
import argparse, contextlib, os, sys, tempfile, time

try:
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as processes
    import torch.nn as nn
    import torch.nn.functional as F
except ImportError:
    sys.exit(3)


class Block(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.heads = o.heads
        self.ln1, self.ln2 = nn.LayerNorm(o.width), nn.LayerNorm(o.width)
        self.qkv, self.proj = nn.Linear(o.width, 3 * o.width), nn.Linear(o.width, o.width)
        self.fc, self.out = nn.Linear(o.width, 4 * o.width), nn.Linear(4 * o.width, o.width)
        self.register_buffer("mask", torch.full((o.seq, o.seq), -torch.inf).triu(1), persistent=False)

    def attention(self, x):
        batch, seq, width = x.shape
        q, k, v = (part.view(batch, seq, self.heads, -1).transpose(1, 2) for part in self.qkv(x).split(width, 2))
        if hasattr(F, "scaled_dot_product_attention"):  # PyTorch 2
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            y = (q @ k.transpose(2, 3) * (width // self.heads) ** -0.5 + self.mask).softmax(-1).to(v.dtype) @ v
        return self.proj(y.transpose(1, 2).reshape(batch, seq, width))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.out(F.gelu(self.fc(self.ln2(x)), approximate="tanh"))


class GPT2(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(o.vocab, o.width), nn.Embedding(o.seq, o.width)
        self.blocks = nn.ModuleList(Block(o) for _ in range(o.layers))
        self.norm = nn.LayerNorm(o.width)
        for embedding in (self.wte, self.wpe):
            nn.init.normal_(embedding.weight, std=0.02)

    def forward(self, tokens, targets):
        x = self.wte(tokens) + self.wpe.weight
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(F.linear(self.norm(x), self.wte.weight).flatten(0, 1), targets.flatten())


def rank(number, o, meeting):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=number, world_size=o.ranks)
    model = GPT2(o)
    trained = nn.parallel.DistributedDataParallel(model) if o.ranks > 1 else model
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1)
    narrow = torch.autocast("cpu", dtype=torch.bfloat16) if o.precision == "bf16" else contextlib.nullcontext()
    times = []
    for _ in range(o.steps):
        tokens = torch.randint(o.vocab, (o.batch, o.seq + 1))
        dist.barrier()
        begun = time.perf_counter()
        with narrow:
            loss = trained(tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous())
        loss.backward()
        adam.step()
        adam.zero_grad(set_to_none=True)
        dist.barrier()
        times.append(time.perf_counter() - begun)
    if number == 0:
        print("%.0f" % (o.ranks * o.batch * o.seq / min(times)))


def main():
    parser = argparse.ArgumentParser()
    for name in "ranks layers width heads seq vocab batch steps".split():
        parser.add_argument("--" + name, type=int, default=3)
    parser.add_argument("--precision", default="fp32", choices=("fp32", "bf16"))
    o = parser.parse_args()
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        processes.spawn(rank, (o, os.path.join(folder, "meeting")), nprocs=o.ranks)


if __name__ == "__main__":
    main()
