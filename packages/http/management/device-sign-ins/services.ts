import type { DeviceSignIns } from '@turnpike/identity'

/** What device sign-ins need besides the stores. */
export interface DeviceSignInServices {
  signIns: DeviceSignIns
  /** Without a slash at the end. */
  publicUrl: () => string
  /** The path of the page on which people approve: `/connect`. */
  approvalPath: string
}
