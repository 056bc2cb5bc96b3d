import type { Schemas } from '../../../api/client.ts'

/** The lines of a postal address, with the country's name. */
export function addressLines(address: Schemas['BillingAddress']): string[] {
  const town = [address.postal_code, address.city, address.region].filter((one) => one !== null).join(' ')
  return [address.name, address.line1, address.line2, town, countryName(address.country)].filter(
    (line) => line !== null,
  )
}

const names = new Intl.DisplayNames('en', { type: 'region' })

export function countryName(code: string): string {
  return names.of(code) ?? code
}
