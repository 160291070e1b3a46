-- 2.2  Gradients join the shards at no extra volume
--
-- Afterwards the learner can say when a gradient's memory is released under stage 2, tell what is kept from the peak, size a bucket
-- and say what it does and does not do, and count what accumulation costs under stages 1 and 2.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(params, gpus, stage, accumulate)
  return { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, accumulate = accumulate, recipe = "paper" }
end
local function weighed(stage, bucket)
  return { model = "gpt2", precision = "mixed-bf16", gpus = 8, stage = stage, bucket = bucket, recipe = "zerolab", batch = 1, seq = 1024 }
end

local one, two = engine.ledger(training(13e9, 8, 1)), engine.ledger(training(13e9, 8, 2))
local function sent(stage, accumulate) return engine.traffic(training(13e9, 8, stage, accumulate)).total end
local function reduce_of(bucket) return engine.memory(weighed(2, bucket)).highest.reduce end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 1.5e9, 3e9, 6.7e9, 7e9, 8e9, 13e9, 20e9, 34e9 }
local worlds = { 4, 8, 16, 32 }

return lesson {
  id = "2.2",
  title = "Gradients join the shards at no extra volume",
  stop = "keep-by-lines",
  goal = "say when stage 2 releases a gradient's memory, size a bucket and say what it does, and count what accumulation costs under stages 1 and 2",
  revision = 1,
  values = {
    one = one, sent = sent, two = two, small = engine.bytes(reduce_of("1MB")), large = engine.bytes(reduce_of("200MB")),
    made = engine.bytes(engine.ledger(weighed(0)).grads), units = engine.bytes(reduce_of("200MB") - 2 * 200e6),
    ds_default = engine.bytes(engine.memory({ model = "llama-2-13b", gpus = 8, stage = 2, recipe = "deepspeed" }).highest.reduce),
  },

  predict {
    id = "when-is-it-freed",
    title = "Before you start",
    ask = [[
13B on eight GPUs. Under stage 1 each rank keeps ${gb(one.grads)} of gradients, under stage 2 only ${gb(two.grads, 3)}. But backward makes *all* gradients, on every rank.

When does a stage-2 rank get rid of the seven eighths that are not its own?]],
    choices = {
      "after backward, before the update",
      "during backward, a bucket at a time",
      "it never makes them: backward computes only its own shard",
    },
    answer = 2,
    reveal = [[
**During backward.** If a rank waited until its end, it would hold all ${gb(one.grads)} at the same time, and the **peak** must fit the card. So it sends each bucket as soon as
it is full.]],
  },

  say {
    id = "a-bucket-travels",
    title = "A bucket's life",
    text = [[
Backward goes from the last layer to the first. When a layer is done, its gradients are final.

1. The rank packs them into a **bucket**.
2. When the bucket is full, its **reduce-scatter** starts.
3. The sums arrive. Each rank keeps its shard of them.
4. The bucket is empty again. Now stage 2's memory is released.

This course's trainer and DDP send a bucket while backward fills the next one. DeepSpeed does so in stage 2 only if you
set `overlap_comm`, which is off by default there and on in stage 3. Without it, backward waits.

Stage 1 sends the same bytes in the same buckets, and keeps the whole gradients as well. (DeepSpeed's default
*all-reduces* the bucket and then keeps the shard: the same memory, more traffic. See 1.4.)]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 5.2: gradients are reduced when their bucket is complete, then released",
      "zerolab, src/lab/reduce.c in this repository",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: average_tensor, allreduce_and_scatter; config.py: use_multi_rank_bucket_allreduce = true",
      "the same, runtime/zero/config.py, overlap_comm_valid: unless it is set, overlap_comm is true in stage 3 and false in stages 1 and 2",
    },
  },

  animate {
    id = "buckets-fill",
    title = "Buckets fill and leave",
    play = "buckets",
    notes = {
      start = "A toy: four blocks with 100 MB of gradients each, on four ranks.",
      fill = "A small message pays latency, so a bucket waits until it is full.",
      full = "A bucket in flight keeps its memory. Stage 2 adds a quarter, for the sums.",
      wait = "Under stage 2 less memory is live at a time, but backward takes longer.",
      last = "Nothing computes now, so nothing hides this reduce-scatter.",
      finish = "Which bucket, overlap and stage give the lowest peak? What stays after it?",
    },
    given = { "100 MB" },
    ask = "In the next frame, how many buckets hold gradients?",
    reveal = "A bucket in flight keeps its memory until it arrives.",
    [[Stage 2 keeps a quarter of the gradients, stage 1 all. How much is live?]],
    sources = { "account_conveyor() in this repository: src/account/play/buckets.c" },
  },

  animate {
    id = "half-the-ring",
    title = "The bucket on its way",
    wall = "A bucket leaves as a reduce-scatter, the first half of an all-reduce.",
    play = "ring-reduce-scatter",
    notes = {
      start = "A full bucket on each rank, cut into one chunk per rank.",
      reduce = "A chunk moves to the neighbour, which adds its own numbers to it.",
      finish = "Each rank has one sum, its shard. Stage 2 frees the rest. Nothing goes back.",
    },
    ask = "On which rank does the sum of chunk a end?",
    reveal = "From rank 1 it goes round to the rank that owns chunk a.",
    [[Half of 1.4's all-reduce. Which sum does a rank end up with? How much is sent?]],
  },

  figure {
    id = "buckets-at-work",
    title = "While backward goes on",
    text = "Llama 2 7B on eight A100s, stage 2 with overlap. While a block computes, the reduce-scatter of the block before runs. How much is not hidden?",
    figure = { kind = "timeline", part = "backward", training = { model = "llama-2-7b", gpus = 8, gpu = "a100-80g", stage = 2, batch = 1, seq = 2048, recipe = "paper" } },
    sources = { "account_schedule() in this repository: src/account/traffic/schedule.c" },
  },

  problem {
    id = "order-of-a-bucket",
    title = "A bucket's life, in order",
    form = "order",
    vary = function(r)
      local layer = r:pick { "the last layer", "the last layer but one", "a layer in the middle" }
      return {
        ask = "Stage 2, with overlap. Follow the gradients of " .. layer .. ".",
        items = {
          "backward of the layer makes them, whole, on every rank",
          "they are packed into the bucket",
          "the bucket's reduce-scatter runs, while backward goes on",
          "each rank keeps its shard of the sum",
          "the bucket is empty again and takes other gradients",
        },
        because = "Only the shard outlives the bucket.",
      }
    end,
    hints = {
      "What must be complete before a bucket can be sent?",
      "Make, pack, send, keep the shard, reuse the buffer.",
    },
  },

  say {
    id = "what-a-bucket-does",
    title = "What a bucket does, exactly",
    text = [[
The last bucket had no backward left to hide it.

A bucket is a buffer. Its size changes **how many messages** carry the gradients and **how much memory** they take on the way. It changes neither
the bytes sent in total nor the bytes kept between steps.

If buckets are too small, thousands of messages each take time to start. If they are too large, the first starts late, the last is long, and the
buffers count at the peak.

A GPT-2 of 124M makes ${made} of gradients. In this course's trainer on eight ranks, the *buffers* for them take ${small} with buckets of 1 MB, and
${large} with 200 MB: two buckets of 200 MB, and ${units} for the unpacked gradients of the embeddings and a block.

DeepSpeed's default is 5e8 **elements**, not bytes: ${gb(2 * 5e8)} in bf16. For Llama 2 13B under stage 2 that bucket, the flat copy that is sent, and the
gradients being made take ${ds_default}. `overlap_comm` adds a second bucket.]],
    sources = {
      "This engine's count of zerolab, to which its labs are held: src/account/memory/memory_units.c",
      "deepspeedai/DeepSpeed, deepspeed/runtime/zero/config.py: reduce_bucket_size = 5e8 elements; stage_1_and_2.py: contiguous_gradients, overlap_comm",
      "torch.nn.parallel.DistributedDataParallel: bucket_cap_mb = 25 (MiB)",
    },
    given = { "1 MB", "200 MB", "124M" },
  },

  worked {
    id = "by-hand",
    title = "By hand: what stage 2 keeps",
    text = "13B, mixed-precision AdamW, eight GPUs, stage 2, when the update begins:",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(13e9, 8, 2) },
    notes = {
      params = "Still whole: forward and backward run on them.",
      grads = "The shard of the sums. Stage 1 has ${gb(one.grads)}.",
      total = "${gb(one.total - two.total, 4)} less than stage 1; with one micro-batch, for the same traffic.",
    },
  },

  problem {
    id = "saved-by-stage-2",
    title = "Only the gradients",
    form = "number",
    about = { "grads-whole" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "grads", unit = "GB", training = training(r:pick(sizes), r:pick(worlds), 2) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage 2. How many ${unit} of **gradients** does a rank keep when backward is over?",
      }
    end,
    hints = {
      "Which part of the sums does a rank keep?",
      "Its shard: 2 B × Ψ ÷ N.",
    },
  },

  problem {
    id = "keep-by-lines",
    title = "Your turn: stage 2's ledger",
    form = "sheet",
    blank = { "grads", "master", "moments", "total" },
    about = { "grads-whole" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(r:pick(sizes), r:pick(worlds), 2) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage 2. What does a rank keep?",
      }
    end,
    hints = {
      "Everything except the params is divided.",
      "Gradients 2, master 4, moments 8 bytes, each × Ψ ÷ N.",
    },
  },

  lab {
    id = "bucket-against-peak",
    title = "Bucket against peak",
    lab = "buckets",
    text = [[
Stage 2 on four ranks of this machine, with a bucket of 64 KB and then with one that takes all gradients together. Watch **reduce**, the
buffers for gradients in flight.]],
    question = [[
It ran in fp32. How many MB of gradients does one of the four ranks **keep** under stage 2, whatever the bucket?]],
    problem = {
      kind = "bytes", quantity = "grads", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 4, stage = 2, recipe = "paper" },
    },
    sources = { "zerolab, src/lab in this repository" },
    given = { "64 KB" },
  },

  lab {
    id = "table-or-rows",
    title = "The table, or its rows",
    lab = "sparse",
    text = [[
One gradient is mostly zeros, that of the embeddings: only the rows of tokens that a rank looked up have values. Here each of four ranks looks up 256
tokens per step, under stage 0. The ranks all-reduce the whole table, or they all-gather those rows, as **sparse gradients**: first with a vocabulary of
256 tokens, then with one of 4,096.]],
    given = { "4,096" },
    sources = {
      "zerolab, src/lab/rows.c in this repository",
      "deepspeedai/DeepSpeed, deepspeed/runtime/engine.py: sparse_allreduce gathers indices and values",
      "PyTorch documentation, torch.nn.Embedding: sparse=True makes the gradient of weight a sparse tensor",
    },
  },

  explore {
    id = "gradients-only",
    title = "What moves, what stays",
    wall = "Which of these piles does stage 2 make smaller?",
    text = "13B. Move the stage and the micro-batches. Which does the ledger notice?",
    training = training(13e9, 8, 2),
    sliders = {
      { field = "stage", label = "stage", start = 2, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" } } },
      { field = "gpus", label = "GPUs", start = 2, values = { { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" }, { value = 64, name = "64" } } },
      { field = "accumulate", label = "micro-batches", start = 1, values = { { value = 1, name = "1" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 32, name = "32" } } },
    },
    figure = { kind = "ledger", training = "explore", limit = "80GB", unit = "GB" },
    try = {
      "From stage 1 to 2: which line moves? And why none with the micro-batches?",
    },
  },

  say {
    id = "accumulation",
    title = "Where stage 2 pays",
    text = [[
Only the gradients moved, from ${gb(one.grads)} to ${gb(two.grads, 3)}. A stage-2 rank keeps the same bytes however many micro-batches you run. It **sends** more with
each one.

Take eight micro-batches and one update. A stage-1 rank adds up gradients in the whole array that it keeps anyway, and sends them once: ${gb(sent(1, 8), 3)} a
step, as with one. A stage-2 rank has no whole array, so each micro-batch's gradients leave before the next come: **eight reduce-scatters**, then one
all-gather. By the paper's algorithm that is

> (A + 1) × (N − 1)/N × 2 B × Ψ = ${gb(sent(2, 8), 3)}

(DeepSpeed's default all-reduces every bucket: 2A + 1 instead of A + 1.) This is the price of the ${gb(one.total - two.total, 4)} saved, and on a slow network stage 1 may well
be faster. You can also keep whole gradients and reduce them once, which makes it stage 1 under another name. FSDP can do that. DeepSpeed's `no_sync` refuses
from stage 2 on, but its newer `coalesce_grad_reduction` does it.]],
    briefly = [[
Stage 2 keeps the same bytes for any number of micro-batches, but **sends** more with each one.

With eight, stage 1 sends its whole gradients once: ${gb(sent(1, 8), 3)}. Stage 2 has no whole array, so it reduce-scatters eight times:

> (A + 1) × (N − 1)/N × 2 B × Ψ = ${gb(sent(2, 8), 3)}

That is the price of ${gb(one.total - two.total, 4)} saved.]],
    slowly = [[
Stage 2 changes one pile. Gradients go from ${gb(one.grads)} to ${gb(two.grads, 3)}. That does not depend on the number of micro-batches. What a rank
**sends** does depend on it.

Take eight micro-batches and one update.

A stage-1 rank keeps an array for all gradients. The first micro-batch fills it. The other seven add to it. After the last one
the rank sends the sums, once. It sends ${gb(sent(1, 8), 3)} per step. That is as much as with one micro-batch.

A stage-2 rank keeps no such array. It has room for its shard only. So it cannot wait. Each micro-batch's gradients must leave
before the next micro-batch makes new ones. That takes **eight reduce-scatters**. After the update comes one all-gather of weights.
By the paper's algorithm that is

> (A + 1) × (N − 1)/N × 2 B × Ψ = ${gb(sent(2, 8), 3)}

A is the number of micro-batches. (DeepSpeed's default all-reduces each bucket. So it sends 2A + 1 instead of A + 1.)

What do you get for it? You save ${gb(one.total - two.total, 4)}. On a slow network that may be a bad trade, and stage 1 may be faster.

There is a way between the two. Keep whole gradients, and reduce them once. Then the memory is that of stage 1. FSDP can do that.
DeepSpeed's `no_sync` refuses from stage 2 on. Its newer `coalesce_grad_reduction` does it.]],
    sources = {
      "zerolab counts it: stages 0 and 1 send 2Ψ, stage 2 (A + 1)Ψ",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: with partition_gradients, buckets are reduced in every micro-step; engine.py: no_sync, coalesce_grad_reduction",
      "PyTorch documentation, fully_shard: set_requires_gradient_sync(False) keeps unsharded gradients",
    },
  },

  problem {
    id = "accumulated-traffic",
    title = "What accumulation sends",
    form = "number",
    about = { "accumulation-free", "deepspeed-traffic" },
    vary = function(r)
      local t = training(r:pick(sizes), r:pick { 4, 8, 16 }, 2, r:pick { 2, 4, 8, 16 })
      return {
        problem = { kind = "traffic", unit = "GB", training = t },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage 2 by the paper's algorithm, ${accumulate} micro-batches a step. How many ${unit} does a rank send per step?",
      }
    end,
    hints = {
      "What happens in every micro-batch, and what only once?",
      "One reduce-scatter for each micro-batch and one all-gather: (A + 1) × (N − 1)/N × 2 B × Ψ.",
    },
  },

  problem {
    id = "stage-1-accumulated",
    title = "What stage 1 sends",
    form = "number",
    review = true,
    about = { "accumulation-paid" },
    vary = function(r)
      local t = training(r:pick(sizes), r:pick { 4, 8, 16 }, 1, r:pick { 2, 4, 8, 16 })
      return {
        problem = { kind = "traffic", unit = "GB", training = t },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage **1** by the paper's algorithm, ${accumulate} micro-batches a step. How many ${unit} does a rank send per step?",
      }
    end,
    hints = {
      "Where do the gradients of the first micro-batches wait?",
      "In the whole array that stage 1 keeps. They are reduced once: 2 × (N − 1)/N × 2 B × Ψ.",
    },
  },

  problem {
    id = "what-does-it-change",
    title = "What does it change?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "a larger reduce bucket", bin = 2, because = "A buffer is held at the peak. It is empty before the update begins." },
        { text = "stage 2 instead of stage 1", bin = 1, because = "Gradients are kept as shards until the update has used them." },
        { text = "more GPUs, under stage 2", bin = 1, because = "The shards become smaller." },
        { text = "a second bucket, so that one fills while the other travels", bin = 2, because = "One more buffer at the peak." },
        { text = "a link twice as fast", bin = 3, because = "Buckets are in flight for half the time, and are as large." },
        { text = "reducing once after eight micro-batches, under stage 1", bin = 3, because = "The whole gradients are kept anyway." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 4 then items[i] = item end
      end
      return {
        ask = "What does each of these change?",
        bins = { "the bytes kept for the update", "only the peak", "neither" },
        items = items,
      }
    end,
    hints = {
      "A buffer is there while gradients are in flight. A shard stays until the update has used it.",
      "Buckets change the peak. Stages and GPUs change the bytes kept.",
    },
  },

  myth {
    id = "larger-bucket",
    title = "Larger buckets to save memory",
    claim = "Out of memory under stage 2? Make the buckets larger, so that gradients leave faster.",
    truth = false,
    because = [[
A larger bucket is a larger buffer, held at the very peak. And it waits longer until it is full, so gradients leave later. If that buffer is
what no longer fits, make it *smaller*, and pay with more messages.]],
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: the peak under stage 2",
    ask = "*\"Stage 2 keeps only a shard of the gradients. But backward makes them all. So how can the peak be lower than stage 1's?\"*",
    points = {
      "gradients become final layer by layer, from the last to the first",
      "each full bucket is reduce-scattered while backward goes on",
      "a rank keeps its shard of the sum, and reuses the bucket",
      "so whole gradients exist for a layer and a bucket or two only",
      "the price: with accumulation, in every micro-batch",
    },
    model = [[
Because they never all exist at the same time. Backward finishes the gradients layer by layer, from the last to the first. Ranks reduce-scatter a full bucket
while backward continues. Each rank keeps its shard of the sum, and the bucket takes the next layer's gradients. So only those of a layer and a bucket
or two are whole. With accumulation that happens in every micro-batch and costs traffic.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "when-freed", front = "Stage 2: when is a gradient's memory released?", back = "During backward, when its bucket has been reduce-scattered." },
      { id = "bucket-changes", front = "A larger bucket changes …?", back = "Fewer messages and a higher peak. The bytes sent and kept stay the same." },
      { id = "same-volume", front = "Volume of stage 2 against stage 1, one micro-batch?", back = "The same: 2Ψ." },
      { id = "accumulated-2", front = "Stage 2 with A micro-batches sends …?", back = "(A + 1)Ψ × (N − 1)/N a rank; stage 1 stays at 2Ψ." },
      { id = "peak-or-kept", front = "Which must fit the card: the states kept between steps, or the peak?", back = "The peak: kept states, activations and buffers when they are highest." },
      { id = "ds-bucket", front = "DeepSpeed's reduce_bucket_size = 5e8: bytes?", back = "Elements: ${gb(2 * 5e8)} in 16 bits, twice that in 32." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "*ZeRO*, section 5.2: https://arxiv.org/abs/1910.02054",
      "DeepSpeed documentation, configuration: https://www.deepspeed.ai/docs/config-json/",
    },
    sources = { "The code that settles it: src/lab/reduce.c and src/lab/partition.c in this repository" },
    text = [[
| 13B on 8 GPUs | stage 1 | stage 2 |
|:--|--:|--:|
| gradients kept | ${gb(one.grads)} | ${gb(two.grads, 3)} |
| sent, 1 micro-batch | ${gb(sent(1, 1), 3)} | ${gb(sent(2, 1), 3)} |
| sent, 8 micro-batches | ${gb(sent(1, 8), 3)} | ${gb(sent(2, 8), 3)} |

Gradients leave **bucket by bucket during backward**, so the peak falls. Buckets trade messages for memory. Accumulation is where stage 2 pays.

Next: the last whole pile, the parameters.]],
  },
}
