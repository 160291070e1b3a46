-- The cheat sheet: one page to take away. `zerotutor export cheat-sheet` prints it. It is written in
-- the language of lessons, so that the engine computes its numbers, but it is not in the course.

local function training(stage, more)
  local t = { params = 13e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 8, stage = stage, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function share(stage) return engine.gb(engine.ledger(training(stage)).total, 4) end
-- Bytes of a parameter that no number of GPUs divides.
local function limit(stage)
    local bytes = string.format("%.0f", engine.ledger(training(stage, { gpus = 1000000 })).total / 13e9)
    return bytes == "0" and bytes or bytes .. "Ψ"
end
local function volume(stage, recipe) return string.format("%gΨ", engine.traffic(training(stage, { recipe = recipe })).volume_params) end
local function sent(stage) return engine.gb(engine.traffic(training(stage)).total, 3) end

-- One layer of GPT-2 XL, as Korthikanti et al. count it, in units of tokens × hidden.
local function kept(checkpoint, flash)
  local xl = engine.model("gpt2-xl")
  local a = engine.activations { model = "gpt2-xl", precision = "mixed-bf16", gpus = 1, batch = 1, seq = 1024, flash = flash, dropout = "off", checkpoint = checkpoint, recipe = "paper" }
  return string.format("%.2g × s·b·h", a.kept / (1024 * xl.hidden))
end
local function factor(op) return string.format("%.4g", engine.collective_factor { op = op, ranks = 8 }) end

local each = engine.bytes_per_param(training(0))

return lesson {
  id = "cheat-sheet",
  title = "ZeRO on one page",
  revision = 1,
  values = {
    each = each, factor = factor, kept = kept, limit = limit, sent = sent, share = share, volume = volume,
    card = engine.card("a100-80g"), pure = engine.bytes_per_param(training(0, { precision = "bf16" })),
    fp32 = engine.bytes_per_param(training(0, { precision = "fp32" })),
    nvlink = engine.rate(engine.link("nvlink3").rate), pcie = engine.rate(engine.link("pcie4").rate),
  },

  say {
    id = "bytes",
    title = "Bytes per parameter, mixed precision with Adam",
    text = [[
**${each.params} weights + ${each.grads} gradients + ${each.master} fp32 master weights + ${each.moments} moments = ${each.total} bytes.** Pure fp32: ${fp32.total}. Pure bf16: ${pure.total}. (The ZeRO paper's count. Megatron keeps ${each.master} bytes of gradients; FSDP2 keeps fp32 shards and no master copy.)]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1" },
  },

  say {
    id = "stages",
    title = "Stages: Ψ parameters on N GPUs",
    text = [[
| stage | shards | bytes per GPU | N → ∞ | 13B, N = 8 | sends per step, paper | 13B, N = 8 | DeepSpeed |
|:--|:--|:--|--:|--:|--:|--:|--:|
| 0 (DDP) | nothing | 16Ψ | ${limit(0)} | ${share(0)} | ${volume(0)} | ${sent(0)} | ${volume(0, "deepspeed")} |
| 1 | master weights, moments | 4Ψ + 12Ψ/N | ${limit(1)} | ${share(1)} | ${volume(1)} | ${sent(1)} | ${volume(1, "deepspeed")} |
| 2 | + gradients | 2Ψ + 14Ψ/N | ${limit(2)} | ${share(2)} | ${volume(2)} | ${sent(2)} | ${volume(2, "deepspeed")} |
| 3 | + weights | 16Ψ/N | ${limit(3)} | ${share(3)} | ${volume(3)} | ${sent(3)} | ${volume(3, "deepspeed")} |

One Ψ of traffic is one all-gather or one reduce-scatter of all elements: × 2 bytes in bf16, × (N − 1)/N in a ring. With gradient accumulation, stages 2 and 3 reduce in every micro-batch, and stage 3 also gathers twice in each.]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, figure 1 and section 7",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: buckets are all-reduced by default",
    },
  },

  say {
    id = "peak",
    title = "What must fit: states + activations + buffers + reserve",
    text = [[
- **Usable** bytes, not the number on the box: an A100 of 80 GiB gives PyTorch ${gb(card.usable_bytes, 3)}.
- **Activations** of a GPT layer (micro-batch b, s tokens, width h, a heads): (32 + 2 a·s/h) × s·b·h bytes, with dropout (34 + 5 a·s/h). GPT-2 XL at s = 1024 keeps ${kept("none", "off")}, with flash attention ${kept("none", "on")}, with full checkpointing ${kept("full", "off")}. N does not divide them; tensor, sequence and context parallelism do.
- **Logits**: s × b × vocabulary, in fp32 while the loss is computed.
- **Buffers**: the units that stage 3 gathers, gradient buckets. **Reserve**: CUDA context, NCCL, cuBLAS: one or two GB.]],
    sources = { "Korthikanti et al., arXiv:2205.05198, section 4.1", "stas00/ml-engineering: PyTorch's total on an A100 80 GB" },
    given = { "80 GiB" },
  },

  say {
    id = "time",
    title = "Time of a collective over S bytes on N ranks",
    text = [[
One rank sends, for N = 8: all-gather or reduce-scatter (N − 1)/N × S = ${factor("all_gather")} S; all-reduce 2 (N − 1)/N × S = ${factor("all_reduce")} S. Divide by the link's rate in one direction (NVLink 3: ${nvlink}, PCIe 4: ${pcie}) and add the latency of each hop. What does not overlap with computation is **exposed**.]],
    sources = { "NVIDIA/nccl-tests, doc/PERFORMANCE.md" },
  },

  say {
    id = "which",
    title = "Which stage, and when",
    text = [[
| if | take |
|:--|:--|
| everything fits whole, with a tenth to spare | DDP: the baseline that the rest must beat |
| it does not, the links are slow, you accumulate | stage 1: as much traffic as DDP |
| gradients do not fit, and you accumulate little | stage 2 |
| the weights do not fit, or you want larger micro-batches | stage 3, on links that hide 50% more traffic |
| activations do not fit | checkpointing, flash attention, a smaller micro-batch: no stage helps |
| one layer does not fit, or N is large and the batch may not grow | tensor or pipeline parallelism, ZeRO inside |
| you have too few GPUs and much time | offload: optimizer states to the host first |]],
  },

  say {
    id = "knobs",
    title = "Knobs",
    text = [[
| to | DeepSpeed | FSDP2 |
|:--|:--|:--|
| choose the stage | `zero_optimization.stage` | `fully_shard(…, reshard_after_forward=)` |
| lower the peak of gradients | `reduce_bucket_size` (elements) | smaller units |
| lower the peak of gathers | `stage3_max_live_parameters`, `stage3_max_reuse_distance` | smaller units |
| hide gathers | `stage3_prefetch_bucket_size`, `overlap_comm` | `set_modules_to_forward_prefetch` |
| add gradients in fp32 | `data_types.grad_accum_dtype`, `communication_data_type` | `MixedPrecisionPolicy(reduce_dtype=)` |
| shard within a node | `zero_hpz_partition_size` | a 2-D mesh |
| offload | `offload_optimizer`, `offload_param` | `CPUOffloadPolicy` |]],
    sources = { "DeepSpeed's documentation, DeepSpeed Configuration JSON", "PyTorch documentation, torch.distributed.fsdp.fully_shard" },
  },

  recap {
    id = "recap",
    text = "`zerotutor mem --params 13B --gpus 8 --stage 2` computes it for your case, `zerotutor plan` chooses, `zerotutor whose 28GB` says where a figure comes from.",
  },
}
