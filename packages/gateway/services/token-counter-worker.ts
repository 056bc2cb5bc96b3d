import { parentPort } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { shortPieces } from './short-pieces.ts'

if (parentPort === null) throw new Error('this file runs as a worker thread')
const port = parentPort

const options = { disallowedSpecial: new Set<string>() }

port.on('message', ({ id, text }: { id: number; text: string }) => {
  let tokens = 0
  for (const piece of shortPieces(text)) tokens += countTokens(piece, options)
  port.postMessage({ id, tokens })
})
