/** What the browser's file dialog offers for contacts; apart from what reads them, which is fetched when it is needed. */
export const CONTACT_FILES = ".csv,.tsv,.txt,.xlsx,.vcf,text/csv,text/vcard";
