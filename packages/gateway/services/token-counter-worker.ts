import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

if (parentPort === null) throw new Error('this file runs as a worker thread')
const port = parentPort

port.on('message', ({ id, text }: { id: number; text: string }) => {
  port.postMessage({ id, tokens: countTokens(text, { disallowedSpecial: new Set() }) })
})
