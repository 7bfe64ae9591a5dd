"""TRL (1.16.0) GRPO on an export of AutoInteract, with the AutoInteract paper's setting where TRL has it.

    accelerate launch docs/training/train_trl.py --data WORKSPACE/export/rl --model MODEL

32 prompts x 8 responses = 256 completions a step: per_device_train_batch_size x gradient_accumulation x devices.
"""

import argparse

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

from autointeract.training.trl_reward import execution_reward


def main() -> None:
    """Trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the `rl` folder of an export, or its repository on the Hub")
    parser.add_argument("--config", default="default", help="`tools` for conversations with tool calls")
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", default="trl-out")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--group", type=int, default=8, help="responses a prompt")
    parser.add_argument("--batch", type=int, default=8, help="completions a device and forward pass")
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--length", type=int, default=65536, help="most tokens of a response, thinking included")
    parser.add_argument("--cpu", action="store_true", help="a smoke test without a GPU")
    options = parser.parse_args()
    config = GRPOConfig(
        output_dir=options.out,
        max_steps=options.steps,
        num_generations=options.group,
        per_device_train_batch_size=options.batch,
        gradient_accumulation_steps=options.accumulate,
        max_completion_length=options.length,
        temperature=1.0,
        learning_rate=1e-6,
        lr_scheduler_type="constant",
        weight_decay=0.01,
        max_grad_norm=1.0,
        beta=0.0,
        loss_type="dapo",
        epsilon=0.2,
        epsilon_high=0.28,
        scale_rewards="none",
        use_cpu=options.cpu,
        bf16=not options.cpu,
        gradient_checkpointing=not options.cpu,
        use_vllm=not options.cpu,
        report_to=[],
        logging_steps=1,
        save_steps=50,
    )
    data = load_dataset(options.data, options.config, split="train")
    GRPOTrainer(model=options.model, reward_funcs=[execution_reward], args=config, train_dataset=data).train()


if __name__ == "__main__":
    main()
