/**
 * Places items as near as possible to the wished positions, keeping their order and minimum distances.
 * `apart[i]` is the distance between items `i - 1` and `i`. Minimizes the sum of squared deviations (isotonic
 * regression by pooling).
 */
export function spread(wished: number[], apart: number[]): number[] {
  const before: number[] = [];
  let sum = 0;
  for (const [at, gap] of apart.entries()) {
    sum += at === 0 ? 0 : gap;
    before.push(sum);
  }
  const pools: { mean: number; count: number }[] = [];
  for (const [at, wish] of wished.entries()) {
    let pool = { mean: wish - (before[at] ?? 0), count: 1 };
    for (let last = pools.at(-1); last && last.mean > pool.mean; last = pools.at(-1)) {
      const count = last.count + pool.count;
      pool = { mean: (last.mean * last.count + pool.mean * pool.count) / count, count };
      pools.pop();
    }
    pools.push(pool);
  }
  const means = pools.flatMap(({ mean, count }) => Array<number>(count).fill(mean));
  return means.map((mean, at) => mean + (before[at] ?? 0));
}
