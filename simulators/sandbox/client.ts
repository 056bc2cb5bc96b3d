import type { UpstreamClient, UpstreamFailure } from '@turnpike/gateway'
import { createInProcessClient } from '../vendor/in-process.ts'
import { createSandboxVendor, type SandboxVendorOptions } from './vendor.ts'

/** The sandbox as an upstream of the gateway. Keeps no journal, because these are users' own prompts. */
export function sandboxClient(
  options: SandboxVendorOptions & { Failure: typeof UpstreamFailure },
): UpstreamClient {
  const vendor = createSandboxVendor(options)
  const { Failure } = options
  return createInProcessClient({
    Failure,
    perform: (request) => ({ script: vendor.answer(request), watcher: undefined }),
  })
}
