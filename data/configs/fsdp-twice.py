# A training script somebody asked about.
# It stops where the model is wrapped a second time.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision, MixedPrecisionPolicy
from torch.distributed.fsdp import ShardingStrategy, fully_shard

model = build_model()  # fp32 weights

policy = MixedPrecisionPolicy(
    param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for block in model.blocks:
    fully_shard(block, mp_policy=policy, reshard_after_forward=True)

model = FSDP(
    model,
    sharding_strategy=ShardingStrategy.SHARD_GRAD_OP,
    mixed_precision=MixedPrecision(param_dtype=torch.bfloat16),
)

optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
