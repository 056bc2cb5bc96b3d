/** The format of a country's VAT numbers. */
interface VatForm {
  pattern: RegExp
  example: string
}

const british = '(\\d{9}|\\d{12}|GD\\d{3}|HA\\d{3})'

/**
 * By prefix: members of the European Union as checked by VIES
 * (https://ec.europa.eu/taxation_customs/vies/#/faq, question 11), the United Kingdom, Northern Ireland,
 * Norway and Switzerland.
 */
const forms: Readonly<Record<string, VatForm>> = {
  AT: form('U\\d{8}', 'ATU12345678'),
  BE: form('[01]\\d{9}', 'BE0123456789'),
  BG: form('\\d{9,10}', 'BG123456789'),
  CH: form('E\\d{9}(MWST|TVA|IVA)?', 'CHE123456789MWST'),
  CY: form('\\d{8}[A-Z]', 'CY12345678X'),
  CZ: form('\\d{8,10}', 'CZ12345678'),
  DE: form('\\d{9}', 'DE123456789'),
  DK: form('\\d{8}', 'DK12345678'),
  EE: form('\\d{9}', 'EE123456789'),
  EL: form('\\d{9}', 'EL123456789'),
  ES: form('[A-Z0-9]\\d{7}[A-Z0-9]', 'ESA12345678'),
  FI: form('\\d{8}', 'FI12345678'),
  FR: form('[A-HJ-NP-Z0-9]{2}\\d{9}', 'FR12345678901'),
  GB: form(british, 'GB123456789'),
  HR: form('\\d{11}', 'HR12345678901'),
  HU: form('\\d{8}', 'HU12345678'),
  IE: form('(\\d{7}[A-W][A-I]?|\\d[A-Z+*]\\d{5}[A-W])', 'IE1234567T'),
  IT: form('\\d{11}', 'IT12345678901'),
  LT: form('(\\d{9}|\\d{12})', 'LT123456789'),
  LU: form('\\d{8}', 'LU12345678'),
  LV: form('\\d{11}', 'LV12345678901'),
  MT: form('\\d{8}', 'MT12345678'),
  NL: form('\\d{9}B\\d{2}', 'NL123456789B01'),
  NO: form('\\d{9}(MVA)?', 'NO123456789MVA'),
  PL: form('\\d{10}', 'PL1234567890'),
  PT: form('\\d{9}', 'PT123456789'),
  RO: form('\\d{2,10}', 'RO1234567890'),
  SE: form('\\d{12}', 'SE123456789001'),
  SI: form('\\d{8}', 'SI12345678'),
  SK: form('\\d{10}', 'SK1234567890'),
  XI: form(british, 'XI123456789'),
}

/** The format for all other countries, whatever they call their tax number. */
const otherForm = /^[A-Z0-9]{4,20}$/
const greece = 'GR'

/**
 * Normalizes a number: in capitals, without separators. Only its format is checked. Whether it exists, and
 * whose it is, is known to the country's registers.
 * @param country ISO 3166-1 alpha-2, of the address; the number may be from another country
 * @returns the expected format in words, if the number has no valid one
 */
export function vatIdOf(typed: string, country: string): { vatId: string } | { expected: string } {
  const vatId = typed.toUpperCase().replaceAll(/[\s.\-/]/g, '')
  const prefix = vatId.slice(0, 2)
  const known = forms[prefix]
  if (known !== undefined && known.pattern.test(vatId)) return { vatId }
  const ofAddress = forms[country === greece ? 'EL' : country]
  if (ofAddress !== undefined) return { expected: `a number such as ${(known ?? ofAddress).example}` }
  return otherForm.test(vatId)
    ? { vatId }
    : { expected: 'a tax number of 4 to 20 letters and digits, such as 12ABCDE3456F1Z5' }
}

function form(behindPrefix: string, example: string): VatForm {
  return { pattern: new RegExp(`^${example.slice(0, 2)}${behindPrefix}$`), example }
}
