import { OwnKeys, type GatewayLog } from '@turnpike/gateway'
import type { ManagementServices } from '@turnpike/http'
import type { SealedVendorKey } from '@turnpike/identity'
import type { Storage } from '@turnpike/storage'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Configuration } from '../configuration/configuration.ts'
import { SealedVendorKeys } from './sealed-vendor-keys.ts'
import { VendorKeyUpkeep } from './vendor-key-upkeep.ts'

export interface OpenOwnKeys {
  ownKeys: OwnKeys
  services: Required<Pick<ManagementServices, 'ownKeys'>>
  upkeep: VendorKeyUpkeep
}

/** What requests and the API need of accounts' own keys; undefined if the feature is off. */
export function openOwnKeys(
  configuration: Configuration,
  { storage, log }: { storage: Pick<Storage, 'vendorKeys'>; log: GatewayLog },
): OpenOwnKeys | undefined {
  const { byok } = configuration
  if (byok === null) return undefined
  const sealing = new SealedVendorKeys(byok.encryptionKeys)
  const providers = new Set(byok.providers)
  const ownKeys = new OwnKeys({ fee: byok.fee, providers, open: openerOf(sealing, log) })
  return {
    ownKeys,
    services: {
      ownKeys: {
        store: storage.vendorKeys,
        seal: (secret, of) => sealing.seal(secret, of),
        providers: configuration.providers.filter(({ name }) => providers.has(name)).map(toNameAndTitle),
        fee: byok.fee,
      },
    },
    upkeep: new VendorKeyUpkeep({
      store: storage.vendorKeys,
      ownKeys,
      sealing,
      onFailure: (error, what) => log.warn({ error: String(error) }, what),
    }),
  }
}

function toNameAndTitle({ name, vendor }: Provider): { name: string; title: string } {
  return { name, title: (vendor === undefined ? undefined : findVendor(vendor))?.title ?? name }
}

/** Logs once per key that it cannot be opened, because its requests keep coming. */
function openerOf(sealing: SealedVendorKeys, log: GatewayLog): (key: SealedVendorKey) => string | undefined {
  const logged = new Set<string>()
  return (key) => {
    try {
      return sealing.open(key)
    } catch (error) {
      if (!logged.has(key.id))
        log.error({ vendorKey: key.id, error: String(error) }, 'an own vendor key cannot be decrypted')
      logged.add(key.id)
      return undefined
    }
  }
}
