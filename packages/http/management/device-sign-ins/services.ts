import type { DeviceSignIns } from '@turnpike/identity'

/** What the sign-in of devices needs besides the stores. */
export interface DeviceSignInServices {
  signIns: DeviceSignIns
  /** Without a slash at the end. */
  publicUrl: () => string
  /** Of the page on which people approve: `/connect`. */
  approvalPath: string
}
