"""adv_envs.batch."""
