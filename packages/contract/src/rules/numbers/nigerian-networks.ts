/** A Nigerian mobile network and the numbers that it first gave out. */
export type NigerianNetwork = {
  name: string;
  /** Mobile country and network code, as delivery reports carry it; undefined for the small and closed networks. */
  mccMnc: string | undefined;
  /** With the leading zero; a longer prefix wins over a shorter one. */
  prefixes: readonly string[];
};

/** 9mobile was renamed T2 on 8 August 2025; numbers and network code stayed. */
export const NIGERIAN_NETWORKS: readonly NigerianNetwork[] = [
  network("MTN", "62130", "0703 0704 0706 0707 0803 0806 0810 0813 0814 0816 0903 0906 0913 0916 07025 07026"),
  network("Airtel", "62120", "0701 0708 0802 0808 0812 0901 0902 0904 0907 0911 0912"),
  network("Glo", "62150", "0705 0805 0807 0811 0815 0905 0915"),
  network("T2", "62160", "0809 0817 0818 0908 0909"),
  network("Mafab", undefined, "0801"),
  network("Ntel", undefined, "0804 07021 07022"),
  network("Smile", undefined, "07020"),
  network("Prestel", undefined, "07024"),
  network("Multilinks", undefined, "0709 07027"),
  network("Starcomms", undefined, "0819 07028 07029"),
];

function network(name: string, mccMnc: string | undefined, prefixes: string): NigerianNetwork {
  return { name, mccMnc, prefixes: prefixes.split(" ") };
}

const NETWORK_BY_PREFIX = new Map(
  NIGERIAN_NETWORKS.flatMap((entry) => entry.prefixes.map((prefix) => [prefix, entry])),
);

/**
 * The network that the number was first given out by. Numbers may be taken to another network since April 2013, so this
 * is only likely; the network code of a delivery report is better where there is one.
 *
 * @param number with 234, digits only.
 * @returns undefined for a number of another country or an unknown prefix.
 */
export function findLikelyNetwork(number: string): NigerianNetwork | undefined {
  if (!/^234[0-9]{10}$/.test(number)) return undefined;
  const national = `0${number.slice(3)}`;
  return NETWORK_BY_PREFIX.get(national.slice(0, 5)) ?? NETWORK_BY_PREFIX.get(national.slice(0, 4));
}
