import type { MetricSamples } from '../client/metric-samples.ts'

/** State of a server that must be the same after the soak as before. */
export interface AtRest {
  handles: number
  fileDescriptors: number
  openRequests: number
  bodyBytes: number
  /** After a collection. */
  heapMegabytes: number
  heldUsd: number
}

/** Our own connections for the checks, and files that are opened on first use. */
const mayRemain = 12

/**
 * What compiled code, pools and caches add in a server's first hours. A leak of a hundred bytes per request
 * adds more than this within half an hour at 600 requests a second.
 */
const heapMayAddMegabytes = 64

export function atRest(metrics: MetricSamples): AtRest {
  return {
    handles: metrics.sum('nodejs_active_handles_total'),
    fileDescriptors: metrics.sum('process_open_fds'),
    openRequests: metrics.sum('turnpike_open_requests'),
    bodyBytes: metrics.sum('turnpike_request_bodies_bytes'),
    heapMegabytes: metrics.sum('nodejs_heap_size_used_bytes') / 2 ** 20,
    heldUsd: metrics.sum('turnpike_lease_usd', { state: 'held' }),
  }
}

/** One sentence per value that is left, and those that are failures. */
export function judgeRest(before: AtRest, after: AtRest): { figures: string[]; failures: string[] } {
  const failures: string[] = []
  for (const [title, name] of [
    ['handles', 'handles'],
    ['file descriptors', 'fileDescriptors'],
  ] as const)
    if (!(after[name] <= before[name] + mayRemain))
      failures.push(`${after[name]} ${title} are open after the end, ${before[name]} were before`)
  if (!(after.heapMegabytes <= before.heapMegabytes + heapMayAddMegabytes))
    failures.push(
      `the heap is ${after.heapMegabytes.toFixed(1)} MB after the end, ` +
        `${before.heapMegabytes.toFixed(1)} MB were before`,
    )
  if (after.openRequests !== 0) failures.push(`${after.openRequests} requests are still under way`)
  if (after.bodyBytes !== 0) failures.push(`${after.bodyBytes} bytes of bodies are still held`)
  if (after.heldUsd !== 0) failures.push(`${after.heldUsd} USD are still held`)
  const figure =
    `before and after: handles ${before.handles}, ${after.handles}; ` +
    `file descriptors ${before.fileDescriptors}, ${after.fileDescriptors}; ` +
    `heap after a collection ${before.heapMegabytes.toFixed(1)}, ${after.heapMegabytes.toFixed(1)} MB; ` +
    `after: ${after.openRequests} requests, ${after.bodyBytes} bytes of bodies, ${after.heldUsd} USD held`
  return { figures: [figure], failures }
}
