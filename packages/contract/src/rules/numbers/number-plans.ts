/**
 * What is known of each calling code's numbers: how long a mobile number is, and which ranges cost whoever sends to them.
 *
 * Lengths and prefixes instead of a phone number library, because a million pasted numbers must be checked within a
 * second, in the browser too: this is 4 kB of data and a few comparisons a number, a library is 80 kB and more, and
 * parses one number at a time into an object. The lines are derived from libphonenumber's metadata; the test beside this
 * file compares them with the installed version. A costly range that cannot be told from ordinary numbers by its
 * beginning (Chile 600, Lebanon 90) is absent.
 */

export type NumberPlan = {
  /** Digits after the calling code. */
  nationalDigitsMin: number;
  nationalDigitsMax: number;
  /** Whether a number may begin with zero after the code; elsewhere a zero there is one of national dialling. */
  keepsZero: boolean;
  /** Beginnings of premium-rate and shared-cost numbers, after the calling code. */
  neverSentPrefixes: readonly string[];
};

/** Calling code, shortest and longest mobile number, z where one may begin with 0, premium and shared-cost prefixes. */
export const NUMBER_PLAN_LINES = `
1 10-10 246976 345976 900
7 10-10 803 809
20 10-10 900
27 5-9 860 862 863 864 865 866 867 868 869 90 91 92
30 10-10 801 806 812 825 850 875 901 909
31 9-11 900 906 909
32 9-9 702 703 704 706 707 787 90
33 9-9 81 82 83 840 842 844 85 86 88 89
34 9-9 803 806 807 901 902
36 9-9 90 91
39 9-10z 0878 144 163 164 166 840 841 847 848 892 893 894 895 899
40 9-9 801 900 901 903 906
41 9-9 840 842 844 848 900 901 906
43 7-13 810 820 821 828 862 863 864 865 866 868 892 893 894 895 896 898 900 901 930 931 939
44 10-10 842 843 844 845 870 871 872 873 90 91 980 981 982 983 984 989
45 8-8 90
46 9-9 649 770 771 772 773 774 775 776 777 900 939 944 991 992 993 994 995 999
47 8-8 810 820 829
48 9-9 700 701 703 704 706 707 708 801
49 10-11 137 138 180 900
51 9-9 801 805
52 10-10 300 900
53 8-8 807
54 10-11 600 604 605 607 609
55 10-11 300 303 400 402 486 500 900
56 9-9
57 10-10 190 194 901
58 10-10 900 901
60 9-10
61 9-9 13 190
62 9-12 804 809
63 10-10
64 8-10 11 13 14 15 17 18 19 500 503 506 507 508 90
65 8-8 190
66 9-9
81 10-10 990
82 9-10 602 603 604 605 606 607 608 609
84 9-9 190
86 11-11 160 168 400 950
90 10-10 888 898 900
91 10-10 1860 1861
92 10-10 900
93 9-9
94 9-9
95 7-10
98 10-10
211 9-9
212 9-9 89
213 9-9 801 802 803 804 805 806 808 809
216 8-8 811 821 88
218 9-9
220 7-9
221 9-9 810 812 814 816 818 884 886 888 889
222 8-8
223 8-8
224 9-9
225 10-10z
226 8-8z
227 8-8 09
228 8-8
229 10-10z
230 8-8 30
231 7-9 332
232 8-8
233 9-9
234 10-10
235 8-8
236 8-8 877
237 9-9
238 7-7
239 7-7
240 9-9 90
241 7-8z
242 9-9z 800 801 802
243 7-9
244 9-9
245 9-9
246 7-7
247 5-5
248 7-7 85
249 9-9
250 9-9z 900
251 9-9
252 7-9
253 8-8
254 9-9 900
255 9-9 840 860 861 90
256 9-9 901 902 903
257 8-8
258 9-9
260 9-9
261 9-9
262 9-9 810 811 819 820 821 825 826 884 890 891 892 893 897 898 899
263 9-9
264 9-9 870
265 9-9
266 8-8
267 8-8 90
268 8-8 900
269 7-7 8
290 4-5
291 7-7
297 7-7 900
298 6-6 901 902 903 904 905 909
299 6-6
350 8-8
351 9-9 601 607 608 646 648 760 761 762 808 809
352 9-9 801 900 901 905
353 9-9
354 7-9 900 901 902 903 904 905 907 908
355 9-9 808 900
356 8-8 500 506 507 509 51 52
357 8-8 801 802 803 804 805 806 807 808 809 900 909
358 6-10 600 700
359 8-9 700 90
370 8-8 808 900 902 903 909 910
371 8-8 81 90
372 7-8 40 900
373 8-8 808 900 905 906
374 8-8 801 802 803 804 900 901 906
375 9-9 810 902
376 6-9 1 9
377 8-9
378 8-8z 71 77 78
380 9-9 900
381 8-10 78 900 901 906 909
382 8-8 941 945 946 948 951 957 958
383 8-8 900
385 8-9 60 61 64 65 69
386 8-8 891 892 893 90
387 8-9 81 82 90 92 94 96
389 8-8 5 801 802 803 804 805 806 807 808 809 81 82 83 84 85 86 87 88 89
420 9-9 81 83 84 900 905 906 908 909 976
421 9-9 85 86 87 88 89 900 97 98
423 7-9 900 901 906
500 5-5
501 7-7
502 8-8 19
503 8-8 900
504 8-8
505 8-8
506 8-8 900 905 909
507 7-8 822 855 860 877 878 886 900 981
508 6-9
509 8-8
590 9-9 81 82 89
591 8-8
592 7-7 900
593 9-9
594 9-9 81 82 89
595 9-9
596 9-9 81 82 89
597 7-7 90
598 8-8 900 901 902 903 904 905 906 907 908
599 7-8 600 601 602
670 8-8 90
672 6-6
673 7-7
674 7-7
675 8-8
676 7-7
677 5-7
678 7-7
679 7-7
680 7-7
681 6-6
682 5-5
683 4-7
685 7-10
686 8-8
687 6-6 36
688 6-7
689 8-8
690 4-7
691 7-7
692 7-7
850 10-10
852 8-8 900
853 8-8
855 8-9
856 9-10
880 10-10
886 9-9 20
960 7-7
961 7-8
962 9-9 85 9
963 9-9
964 10-10
965 8-8
966 9-9 920 925
967 9-9
968 8-8 900
970 9-9 170
971 9-9 700 900
972 9-9 120 121 170 190 191 199
973 8-8 84 87 90 91 92 93 94 95 96 97 98
974 8-8
975 8-8
976 8-8
977 10-10
992 9-9z
993 8-8
994 9-9 900
995 9-9
996 9-9
998 9-9
`;

/**
 * What the metadata does not list: the land lines of Italy and the Vatican, whose prefix is priced apart; American
 * Samoa under its former code; and British personal numbers (44 70), billed like premium ones and known for fraud.
 */
const FURTHER_LINES = `
390 5-10z 878
684 7-7
`;
const BRITISH_PERSONAL_NUMBERS = { code: "44", prefix: "70" };

const PLANS = readPlans(NUMBER_PLAN_LINES + FURTHER_LINES);

function readPlans(lines: string): Map<string, NumberPlan> {
  const plans = new Map<string, NumberPlan>();
  for (const line of lines.split("\n")) {
    const [code = "", lengths = "", ...prefixes] = line.split(" ");
    if (code === "") continue;
    const [nationalDigitsMin = 0, nationalDigitsMax = 0] = lengths.replace("z", "").split("-").map(Number);
    const keepsZero = lengths.endsWith("z");
    if (code === BRITISH_PERSONAL_NUMBERS.code) prefixes.push(BRITISH_PERSONAL_NUMBERS.prefix);
    plans.set(code, { nationalDigitsMin, nationalDigitsMax, keepsZero, neverSentPrefixes: prefixes });
  }
  return plans;
}

/** @returns whether the code itself is assigned to a country or territory. */
export function isAssignedCode(code: string): boolean {
  return PLANS.has(code);
}

/**
 * @param code a calling code, or a longer one that an administrator prices apart, such as 1876 for Jamaica: it gets the
 * plan of the code it extends, with what it adds taken off.
 */
export function findNumberPlan(code: string): NumberPlan | undefined {
  const own = PLANS.get(code);
  if (own !== undefined) return own;
  for (let digits = Math.min(code.length - 1, 3); digits > 0; digits -= 1) {
    const plan = PLANS.get(code.slice(0, digits));
    if (plan === undefined) continue;
    const added = code.slice(digits);
    return {
      nationalDigitsMin: Math.max(0, plan.nationalDigitsMin - added.length),
      nationalDigitsMax: Math.max(0, plan.nationalDigitsMax - added.length),
      keepsZero: true,
      neverSentPrefixes: plan.neverSentPrefixes
        .filter((prefix) => prefix.startsWith(added))
        .map((prefix) => prefix.slice(added.length)),
    };
  }
  return undefined;
}
