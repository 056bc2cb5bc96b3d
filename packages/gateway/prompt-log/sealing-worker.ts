import { parentPort, workerData } from 'node:worker_threads'
import { zstdCompressSync } from 'node:zlib'
import { KeyRing } from '../kept/key-ring.ts'
import { logEntry, type CapturedRequest } from './entry.ts'
import { promptLogPurpose } from './purpose.ts'
import type { OwnPattern } from './redaction/own-patterns.ts'
import { Redactor } from './redaction/redactor.ts'

/** What the worker is started with. */
export interface SealingSettings {
  encryptionKeys: readonly Uint8Array[]
  patterns: readonly OwnPattern[]
  maxBytes: number
}

export interface SealingJob {
  seen: CapturedRequest
  of: { accountId: string; id: string }
}

export interface SealingResult {
  sealed: Uint8Array<ArrayBuffer>
  plainBytes: number
}

if (parentPort === null) throw new Error('this file runs as a worker thread')
const port = parentPort

const settings = workerData as SealingSettings
const keys = new KeyRing(
  settings.encryptionKeys.map((key) => Buffer.from(key)),
  promptLogPurpose,
)
const redactor = new Redactor(settings.patterns)

port.on('message', ({ seen, of }: SealingJob) => {
  try {
    const plain = Buffer.from(JSON.stringify(logEntry(seen, redactor, settings)))
    const sealed = Uint8Array.from(keys.seal(zstdCompressSync(plain), of, 'log'))
    port.postMessage({ sealed, plainBytes: plain.length } satisfies SealingResult, [sealed.buffer])
  } catch (error) {
    // The error's message may quote the prompt, so only its name leaves the thread.
    port.postMessage({ failure: error instanceof Error ? error.name : 'unknown' })
  }
})
