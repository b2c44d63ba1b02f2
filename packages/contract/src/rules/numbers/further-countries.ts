import { listCountryNames } from "./countries.ts";

/**
 * Countries that the specified table does not price, so that a rate may be given for them; and those that share code 1,
 * by the area codes under which they can be priced apart.
 */
const ROWS = `
51 Peru|82 South Korea|92 Pakistan|95 Myanmar|211 South Sudan|218 Libya|222 Mauritania|238 Cape Verde|239 São Tomé and Príncipe
240 Equatorial Guinea|241 Gabon|242 Republic of the Congo|245 Guinea-Bissau|246 British Indian Ocean Territory|247 Ascension Island
252 Somalia|253 Djibouti|262 Réunion|268 Eswatini|269 Comoros|290 Saint Helena|291 Eritrea|297 Aruba|299 Greenland|378 San Marino
380 Ukraine|381 Serbia|383 Kosovo|386 Slovenia|387 Bosnia and Herzegovina|423 Liechtenstein|500 Falkland Islands|503 El Salvador
505 Nicaragua|506 Costa Rica|508 Saint Pierre and Miquelon|591 Bolivia|593 Ecuador|594 French Guiana|595 Paraguay|596 Martinique
597 Suriname|599 Curaçao|670 Timor-Leste|672 Norfolk Island|674 Nauru|676 Tonga|677 Solomon Islands|678 Vanuatu|680 Palau
681 Wallis and Futuna|682 Cook Islands|683 Niue|685 Samoa|686 Kiribati|687 New Caledonia|688 Tuvalu|689 French Polynesia|690 Tokelau
691 Micronesia|692 Marshall Islands|850 North Korea|853 Macao|996 Kyrgyzstan
1242 Bahamas|1246 Barbados|1264 Anguilla|1268 Antigua and Barbuda|1284 British Virgin Islands|1340 US Virgin Islands
1345 Cayman Islands|1441 Bermuda|1473 Grenada|1649 Turks and Caicos Islands|1658 Jamaica|1664 Montserrat
1670 Northern Mariana Islands|1671 Guam|1684 American Samoa|1721 Sint Maarten|1758 Saint Lucia|1767 Dominica
1784 Saint Vincent and Grenadines|1787 Puerto Rico|1809 Dominican Republic|1829 Dominican Republic|1849 Dominican Republic
1868 Trinidad and Tobago|1869 Saint Kitts and Nevis|1876 Jamaica|1939 Puerto Rico`;

let names: ReadonlyMap<string, string> | undefined;

/** Made when somebody asks, so that pages which do not can leave it out. */
function readNames(): ReadonlyMap<string, string> {
  const rows = ROWS.trim().split(/[|\n]/);
  return new Map(rows.map((row) => [row.slice(0, row.indexOf(" ")), row.slice(row.indexOf(" ") + 1)]));
}

/** @returns the codes outside the specified table that have a name here. */
export function listFurtherCodes(): string[] {
  names ??= readNames();
  return [...names.keys()];
}

/**
 * @param code digits only.
 * @returns what the code's numbers are called in a list of rates, at least one name.
 */
export function nameCode(code: string): string[] {
  const listed = listCountryNames(code);
  if (listed.length > 0) return listed;
  names ??= readNames();
  return [names.get(code) ?? `Numbers that begin with ${code}`];
}
