import compress from '@fastify/compress'
import { constants } from 'node:zlib'
import type { ManagementApp } from '../management-app.ts'

/** Fits into one packet as it is (Ethernet's 1,500 bytes, less the headers). */
const minBytes = 1_400
/** Figures of a year are a megabyte: these pack them tenfold, in a few milliseconds. */
const brotliQuality = 4
const gzipLevel = 6

/**
 * Answers go out packed where the caller takes that (RFC 9110, section 12.5.3): lists, figures, exports, the
 * API's description. Who could make somebody's browser send requests, and see their lengths, could guess what
 * is in them (BREACH); here a request needs a token in a header, which no other page can send.
 */
export async function registerCompression(app: ManagementApp): Promise<void> {
  // An answer without a body has nothing to pack.
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.compress = false
  })
  await app.register(compress, {
    threshold: minBytes,
    // In another thread, whatever its size: requests to models wait for nothing of this.
    syncThreshold: 0,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    zlibOptions: { level: gzipLevel },
  })
}
