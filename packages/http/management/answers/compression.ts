import compress from '@fastify/compress'
import { constants } from 'node:zlib'
import type { ManagementApp } from '../management-app.ts'

/** Anything smaller fits into one packet uncompressed (Ethernet's 1,500 bytes, less the headers). */
const minBytes = 1_400
/** A year's figures are a megabyte: this quality compresses them tenfold in a few milliseconds. */
const brotliQuality = 4
const gzipLevel = 6

/**
 * Compresses lists, figures, exports and the API's description if the caller accepts it (RFC 9110, section
 * 12.5.3). BREACH, where an attacker makes a browser send requests and infers contents from the lengths of
 * the responses, does not apply: each request needs a token in a header, which no other page can send.
 */
export async function registerCompression(app: ManagementApp): Promise<void> {
  // A response without a body has nothing to compress.
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.compress = false
  })
  await app.register(compress, {
    threshold: minBytes,
    // Always in another thread, so that requests to models do not wait for it.
    syncThreshold: 0,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    zlibOptions: { level: gzipLevel },
  })
}
