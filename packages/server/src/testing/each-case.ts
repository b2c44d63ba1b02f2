/**
 * Checks a table of cases in one test, on one database and with one app: for cases that leave nothing behind which another would see. A test of its
 * own for each costs a third of a second. A failure begins with its case.
 */
export async function eachCase<Case>(cases: readonly Case[], check: (one: Case) => Promise<void>): Promise<void> {
  for (const one of cases)
    try {
      await check(one);
    } catch (error) {
      if (error instanceof Error) error.message = `${describeCase(one)}: ${error.message}`;
      throw error;
    }
}

const SHOWN_CHARACTERS = 200;

function describeCase(one: unknown): string {
  return JSON.stringify(one).slice(0, SHOWN_CHARACTERS);
}
