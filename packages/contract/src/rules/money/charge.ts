export type ChargeFactors = {
  /** Distinct valid numbers. */
  recipients: number;
  pages: number;
  /** Thousandths of a unit for one page to one number. */
  rateMilli: number;
};

/**
 * The price of a send: recipients x pages x rate. A million recipients, a thousand pages and a rate of 70 still fit.
 *
 * @returns thousandths of a unit, exact.
 * @throws RangeError when a factor is not a whole number of 0 or more, or the price is no safe integer: a broken caller,
 * because no account could pay it.
 */
export function chargeMilli({ recipients, pages, rateMilli }: ChargeFactors): number {
  for (const [name, factor] of Object.entries({ recipients, pages, rateMilli })) {
    if (!Number.isSafeInteger(factor) || factor < 0) throw new RangeError(`${name} must be a whole number, 0 or more`);
  }
  const charge = recipients * pages * rateMilli;
  // A product beyond the safe range may be rounded, but never back into the range, so this check cannot be fooled.
  if (!Number.isSafeInteger(charge)) throw new RangeError("the charge is too large to be exact");
  return charge;
}
