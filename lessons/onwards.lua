-- What to learn next, for whoever finished the course: `zerotutor learn onwards`. It is written in the language of lessons,
-- so that the engine computes its numbers, but it is not in the course.

local function case(stage, more)
  local t = { model = "llama-2-13b", precision = "mixed-bf16", optimizer = "adamw", gpus = 8, stage = stage, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

return lesson {
  id = "onwards",
  title = "What to learn next",
  revision = 1,
  values = {
    paper = engine.ledger(case(3)), ours = engine.ledger(case(3, { recipe = "fsdp2" })),
    sent = engine.traffic(case(3)), tiers = engine.ledger(case(3, { offload_optimizer = "host" })),
  },

  say {
    id = "paths",
    title = "Four ways on",
    text = [[
You can count what a stage keeps, sends and takes. Which of these is your next problem?

- **My model must fit.** Learn what a framework really keeps. 13B on eight GPUs is ${gb(paper.total, 3)} per GPU by the paper's count at stage 3,
  and ${gb(ours.total, 3)} in FSDP2. Start with the manuals, the next page.
- **It fits, and it is slow.** Learn what overlaps. Stage 3 sends ${gb(sent.total, 3)} per rank and step here. Read the PyTorch FSDP paper, then
  measure a collective with nccl-tests.
- **I have many nodes.** Learn to combine axes. Read Narayanan, then the Ultra-Scale Playbook.
- **I have too few GPUs.** Learn the tiers. With its optimizer states on the host the same case keeps ${gb(tiers.total, 3)} on each GPU. Read
  ZeRO-Infinity.]],
    sources = { "The figures are this engine's: Llama 2 13B, mixed bf16, AdamW, 8 GPUs, stage 3" },
  },

  say {
    id = "papers",
    title = "Papers, in this order",
    text = [[
1. **ZeRO**, sections 5 and 7: the three cuts, and what they send. You know every number in it.
2. **PyTorch FSDP**: units, prefetch, the allocator. It says why the engineering is hard.
3. **Reducing Activation Recomputation** (Korthikanti): the activations, line by line.
4. **Efficient Large-Scale Training** (Narayanan): tensor, pipeline and data parallel together, with times.
5. **ZeRO-Infinity**: bandwidth and efficiency of host memory and NVMe.
6. **ZeRO++**: fewer bytes between nodes, and their price.
7. **TorchTitan**: all of it in one code base that you can read.]],
    sources = {
      "Rajbhandari et al., ZeRO: https://arxiv.org/abs/1910.02054",
      "Zhao et al., PyTorch FSDP: https://arxiv.org/abs/2304.11277",
      "Korthikanti et al., Reducing Activation Recomputation: https://arxiv.org/abs/2205.05198",
      "Narayanan et al., Efficient Large-Scale Training: https://arxiv.org/abs/2104.04473",
      "Rajbhandari et al., ZeRO-Infinity: https://arxiv.org/abs/2104.07857",
      "Wang et al., ZeRO++: https://arxiv.org/abs/2306.10209",
      "Liang et al., TorchTitan: https://arxiv.org/abs/2410.06511",
    },
  },

  say {
    id = "here",
    title = "In this program",
    text = [[
| to practise | type |
|:--|:--|
| what fades, three minutes a day | `zerotutor review` |
| claims of colleagues | `zerotutor myths` |
| your own words, against a clock | `zerotutor interview --seconds 90` |
| napkin numbers | `zerotutor speed` |
| a run of the lab, measured | `zerotutor lab list` |
| your own model and cards | `zerotutor plan --config config.json --gpus 8` |
| a number that you were given | `zerotutor whose 28GB --params 7e9 --gpus 8` |
| a memo on another case | open 4.1, its last question, and take it again |
| read the engine that counted all this | `zerotutor code` |
| one page for the wall | `zerotutor export cheat-sheet` |]],
    given = { "28GB" },
  },

  recap {
    id = "recap",
    title = "The manuals",
    text = [[
Read a manual with one question: **which copies does it keep, and which collective does it run?** Then check its answer with one short run, and the peak by category.]],
    further = {
      "DeepSpeed, every key of zero_optimization: https://www.deepspeed.ai/docs/config-json/",
      "DeepSpeed, ZeRO's API and its offload: https://deepspeed.readthedocs.io/en/latest/zero3.html",
      "FSDP2, fully_shard: https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
      "PyTorch, reading a memory snapshot: https://docs.pytorch.org/docs/stable/torch_cuda_memory.html",
      "Megatron Core, its distributed optimizer: https://docs.nvidia.com/megatron-core/developer-guide/latest/user-guide/index.html",
      "nccl-tests, what bus bandwidth means: https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
      "The Ultra-Scale Playbook: https://huggingface.co/spaces/nanotron/ultrascale-playbook",
    },
  },
}
