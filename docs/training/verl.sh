#!/usr/bin/env bash
# verl (0.9.1) on an export of AutoInteract, with the AutoInteract paper's setting. Usage:
#   bash docs/training/verl.sh WORKSPACE MODEL [more overrides ...]
# One node with 8 GPUs as it stands; see verl.md.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: bash docs/training/verl.sh WORKSPACE MODEL [more overrides ...]" >&2; exit 2; }
data="$1/export/rl/default"
model="$2"
shift 2

files() { # the shards of one split, as a list that Hydra reads, whatever is in their path
  local found=("$data/$1"-*.parquet)
  [ -e "${found[0]}" ] || { echo "no $1 split in $data: run autointeract export (with enough tasks for it)" >&2; return 1; }
  printf "'%s'," "${found[@]}" | sed 's/,$//'
}
train="$(files train)"
val="$(files val)"

python -m verl.trainer.main_ppo \
  data.train_files="[$train]" \
  data.val_files="[$val]" \
  data.prompt_key=prompt \
  data.train_batch_size=32 \
  data.max_prompt_length=16384 \
  data.max_response_length=65536 \
  data.filter_overlong_prompts=True \
  algorithm.adv_estimator=grpo \
  algorithm.norm_adv_by_std_in_grpo=False \
  algorithm.use_kl_in_reward=False \
  actor_rollout_ref.model.path="$model" \
  actor_rollout_ref.actor.optim.lr=1e-6 \
  actor_rollout_ref.actor.optim.weight_decay=0.01 \
  actor_rollout_ref.actor.grad_clip=1.0 \
  actor_rollout_ref.actor.ppo_mini_batch_size=32 \
  actor_rollout_ref.actor.use_kl_loss=False \
  actor_rollout_ref.actor.clip_ratio_low=0.2 \
  actor_rollout_ref.actor.clip_ratio_high=0.28 \
  actor_rollout_ref.rollout.name=vllm \
  actor_rollout_ref.rollout.n=8 \
  actor_rollout_ref.rollout.temperature=1.0 \
  reward.custom_reward_function.path=pkg://autointeract.training.verl_reward \
  reward.custom_reward_function.name=compute_score_async \
  reward.num_workers=4 \
  trainer.n_gpus_per_node=8 \
  trainer.nnodes=1 \
  trainer.total_training_steps=500 \
  trainer.test_freq=25 \
  trainer.save_freq=50 \
  "$@"
