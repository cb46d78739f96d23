#!/usr/bin/env python3
"""Times cuDNN's fused attention through PyTorch, on the shapes of `ringlab bench cuda`.

    cuda/cudnn_seconds.py [--tokens 16384] [--heads 16] [--repeats 5] > cudnn.json
    ringlab bench cuda --cudnn cudnn.json

Each figure is the best of some repeats between two events, bfloat16, one sequence against itself. Exit 3
where PyTorch, cuDNN or a GPU is missing.
"""
import argparse
import json
import sys


def missing(what):
    print(f"cudnn_seconds: {what}", file=sys.stderr)
    sys.exit(3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=16384)
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    try:
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel
        from torch.nn.functional import scaled_dot_product_attention
    except ImportError as error:
        missing(f"PyTorch 2.5 or newer is needed: {error}")
    if not torch.cuda.is_available() or not torch.backends.cudnn.is_available():
        missing("PyTorch sees no GPU, or was built without cuDNN")

    def best_seconds(work):
        times = []
        for _ in range(options.repeats + 1):  # the first one warms up
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            work()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3)
        return min(times[1:])

    rows = []
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        for head_dim in (64, 128):
            for causal in (False, True):
                shape = (1, options.heads, options.tokens, head_dim)
                q, k, v, gradient = (
                    torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(4))
                for x in (q, k, v):
                    x.requires_grad_()
                with torch.no_grad():
                    forward = best_seconds(
                        lambda: scaled_dot_product_attention(q, k, v, is_causal=causal))
                out = scaled_dot_product_attention(q, k, v, is_causal=causal)
                backward = best_seconds(
                    lambda: torch.autograd.grad(out, (q, k, v), gradient, retain_graph=True))
                for what, seconds in (("forward", forward), ("backward", backward)):
                    rows.append({"what": what, "head_dim": head_dim, "causal": causal,
                                 "seconds": seconds})
    print(json.dumps({"tokens": options.tokens, "heads": options.heads,
                      "device": torch.cuda.get_device_name(),
                      "cudnn": torch.backends.cudnn.version(), "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
