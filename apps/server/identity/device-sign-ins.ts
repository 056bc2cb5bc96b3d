import type { GatewayLog } from '@turnpike/gateway'
import type { DeviceSignInServices } from '@turnpike/http'
import { DeviceSignIns, type DeviceSignInStore } from '@turnpike/identity'
import { removeExpiredStates } from './expired-states.ts'

/** A page of the dashboard. People sign in to it with the configured identity provider. */
const approvalPath = '/connect'

/** Opens the device sign-ins, by which programs on devices get a key of a person. */
export function openDeviceSignIns(
  store: DeviceSignInStore,
  parts: {
    /** Unix epoch milliseconds. */
    clock: () => number
    publicUrl: () => string
    log: GatewayLog
    onKeyChanged: (keyId: string) => void
  },
): { services: DeviceSignInServices; close(): void } {
  const { clock, publicUrl, log, onKeyChanged } = parts
  const removal = removeExpiredStates(store, clock, (error) =>
    log.error({ error: String(error) }, 'expired sign-ins could not be deleted'),
  )
  return {
    services: {
      signIns: new DeviceSignIns({ store, clock, onEnded: onKeyChanged }),
      publicUrl,
      approvalPath,
    },
    close: () => removal.stop(),
  }
}
