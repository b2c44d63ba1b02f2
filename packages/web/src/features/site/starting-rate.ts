/** The advertised price of one SMS page in Nigeria, in naira. (specification, sections 1 and 9) */
export const startingRateNaira = 3;
