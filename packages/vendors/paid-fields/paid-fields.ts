import { paidFieldsOfFormat, type PaidField } from './paid-field.ts'
import { vendors } from '../registry.ts'
import type { Vendor } from '../vendor.ts'

/** Of one message or part of it: only who lists such bills it, and nobody else reads it so. */
const isOfMessages = ({ field }: PaidField): boolean => field.startsWith('messages.')

/**
 * Everything by which a provider may bill more. What another vendor bills is listed too, since routers pass
 * it on and imitators understand it; it has no price here. A server of one's own sends no bills.
 * @param vendor undefined: nobody knows whose server it is
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

/** Names that `allow_unpriced` takes. */
export function paidFieldNames(): string[] {
  const all = vendors.flatMap(({ paidFields }) => (paidFields === 'none' ? [] : paidFields))
  return [...new Set([...paidFieldsOfFormat, ...all].map(({ field }) => field))].toSorted()
}

/** Whose server is at this address, however the provider is called; undefined: none that is known. */
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
