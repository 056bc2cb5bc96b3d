import { paidFieldsOfFormat, type PaidField } from './paid-field.ts'
import { vendors } from '../registry.ts'
import type { Vendor } from '../vendor.ts'

/** A field of one message or its parts: only vendors that list it read and bill it. */
const isOfMessages = ({ field }: PaidField): boolean => field.startsWith('messages.')

/**
 * All fields that a provider may bill in addition to tokens. Other vendors' fields are included, since
 * routers pass them on and compatible servers support them; they have no price here. A self-hosted server
 * bills nothing.
 * @param vendor undefined if the server's vendor is unknown
 */
export function paidFieldsOf(vendor: Vendor | undefined): readonly PaidField[] {
  if (vendor?.paidFields === 'none') return []
  const own = vendor?.paidFields ?? []
  const named = new Set(own.map(({ field }) => field))
  const ofFormat = paidFieldsOfFormat.filter(({ field }) => !named.has(field))
  for (const { field } of ofFormat) named.add(field)
  const ofOthers = vendors
    .flatMap((other) => (other.paidFields === 'none' ? [] : other.paidFields))
    .filter((one) => !named.has(one.field) && !isOfMessages(one))
    .map(({ chargedBy: _theirs, served: _run, ...one }) => one)
  return [...own, ...ofFormat, ...ofOthers]
}

/** Names that `allow_unpriced` accepts. */
export function paidFieldNames(): string[] {
  const all = vendors.flatMap(({ paidFields }) => (paidFields === 'none' ? [] : paidFields))
  return [...new Set([...paidFieldsOfFormat, ...all].map(({ field }) => field))].toSorted()
}

/** The vendor whose server is at this address, whatever the provider's name; undefined if unknown. */
export function vendorAt(baseUrl: string): Vendor | undefined {
  const hostname = new URL(baseUrl).hostname.replace(/\.$/, '')
  return vendors.find(
    (vendor) =>
      vendor.paidFields !== 'none' &&
      (hostOf(vendor.baseUrl) === hostname || vendor.otherHosts?.test(hostname) === true),
  )
}

function hostOf(baseUrl: string | undefined): string | undefined {
  return baseUrl === undefined ? undefined : new URL(baseUrl).hostname
}
