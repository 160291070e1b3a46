# The same intention, in one API.
import torch
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

model = build_model()                                   # fp32 weights: these are what is sharded

policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for block in model.blocks:                              # each block is a unit
    fully_shard(block, mp_policy=policy, reshard_after_forward=True)
fully_shard(model, mp_policy=policy)                    # the root: embeddings, last norm, head

optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)   # after sharding
