#!/usr/bin/env python3
"""Plain PyTorch beside zerolab: the same GPT-2 shapes, AdamW (fused) in fp32 with bf16 autocast, flash attention by
scaled_dot_product_attention, random tokens. Prints "tokens/s bytes_allocated bytes_reserved": the median of the steps after the first few,
and torch's peaks.

    python3 tests/gpu/baseline.py --model 124m --batch 32 --steps 30 --plain|--compiled
"""
import argparse, sys, time

import torch
import torch.nn as nn
import torch.nn.functional as F

SHAPES = {"124m": (12, 768, 12), "355m": (24, 1024, 16), "774m": (36, 1280, 20), "1558m": (48, 1600, 25), "tiny": (2, 64, 1)}
WARM_UP = 5


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.fc, self.out = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, seq, width = x.shape
        q, k, v = (part.view(batch, seq, self.heads, width // self.heads).transpose(1, 2) for part in self.qkv(self.ln1(x)).split(width, 2))
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, seq, width))
        return x + self.out(F.gelu(self.fc(self.ln2(x)), approximate="tanh"))


class GPT2(nn.Module):
    def __init__(self, layers, width, heads, seq, vocab):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, width), nn.Embedding(seq, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for embedding in (self.wte, self.wpe):
            nn.init.normal_(embedding.weight, std=0.02)

    def forward(self, tokens, targets):
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        logits = F.linear(self.norm(x), self.wte.weight)
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="124m", choices=SHAPES)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seq", type=int, default=1024)
    parser.add_argument("--vocab", type=int, default=50304)  # 50257, padded so that the head is fast
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=600)  # then the steps made by then count
    options = parser.parse_args()
    device = options.device
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    model = GPT2(*SHAPES[options.model], options.seq, options.vocab).to(device)
    adam = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), fused=device == "cuda")
    step_of = torch.compile(model) if options.compiled else model
    times, until = [], time.monotonic() + options.seconds
    for _ in range(options.steps + WARM_UP):
        tokens = torch.randint(options.vocab, (options.batch, options.seq + 1), device=device)
        if device == "cuda":
            torch.cuda.synchronize()
        begun = time.perf_counter()
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = step_of(tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous())
        loss.backward()
        adam.step()
        adam.zero_grad(set_to_none=True)
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - begun)
        if time.monotonic() + 2 * times[-1] > until and len(times) > WARM_UP:
            break
    times = sorted(times[WARM_UP:])
    rate = options.batch * options.seq / times[len(times) // 2]
    held, used = 0, 0
    if device == "cuda":
        free, total = torch.cuda.mem_get_info()  # of the whole GPU
        held, used = torch.cuda.max_memory_allocated(), total - free
    print("%.0f %d %d" % (rate, held, used))


sys.exit(main())
