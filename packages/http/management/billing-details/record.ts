import { vatIdOf, type BillingDetails } from '@turnpike/billing'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { nullable, requestObject } from '../validation/fields.ts'
import { countryCodes } from './countries.ts'

const text = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\p{Cc}\\p{Cf}]*\\S[^\\p{Cc}\\p{Cf}]*$',
    description,
    'x-expected': `a single line of 1 to ${maxLength} characters`,
  })
const country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2, as in `DE`.',
  'x-expected': 'a two-letter country code such as `DE` (ISO 3166-1)',
})

const fields = {
  name: text(120, 'Of the company or the person.'),
  line1: text(120, 'Street and number.'),
  line2: nullable(text(120, 'Second line of the address.')),
  postal_code: nullable(text(20, 'In the format of the country.')),
  city: text(80, 'The town.'),
  region: nullable(text(80, 'State or province, if addresses have one.')),
  country,
  vat_id: nullable(text(32, 'VAT number, or another tax number. Only its format is checked.')),
}

/** As receipts show them. */
export const billingFieldsSchema = Type.Object(fields, { title: 'BillingAddress' })

export const billingChangeSchema = requestObject({
  ...fields,
  line2: Type.Optional(fields.line2),
  postal_code: Type.Optional(fields.postal_code),
  region: Type.Optional(fields.region),
  vat_id: Type.Optional(fields.vat_id),
})

/** @throws {GatewayError} 400 */
export function billingDetailsOf(body: Static<typeof billingChangeSchema>): BillingDetails {
  const country = body.country.toUpperCase()
  if (!countryCodes.includes(country))
    throw invalidRequest(
      'country',
      '`country`: expected a two-letter country code such as `DE` (ISO 3166-1).',
    )
  const vatId = typeof body.vat_id === 'string' ? vatIdOf(body.vat_id, country) : null
  if (vatId !== null && 'expected' in vatId)
    throw invalidRequest('vat_id', `\`vat_id\`: expected ${vatId.expected}.`)
  return {
    name: body.name.trim(),
    line1: body.line1.trim(),
    line2: body.line2?.trim() ?? null,
    postalCode: body.postal_code?.trim() ?? null,
    city: body.city.trim(),
    region: body.region?.trim() ?? null,
    country,
    vatId: vatId?.vatId ?? null,
  }
}

export function billingFields(details: BillingDetails): Static<typeof billingFieldsSchema> {
  return {
    name: details.name,
    line1: details.line1,
    line2: details.line2,
    postal_code: details.postalCode,
    city: details.city,
    region: details.region,
    country: details.country,
    vat_id: details.vatId,
  }
}
