import { eventBytes, httpChunk, memoize, type StreamBytes } from './bytes.ts'

/**
 * The stream of the load server in Google's format: its events are as many as OpenAI's, and larger, since
 * each tells the usage so far, the model and the answer's identifier, as Google's own do.
 */
export function googleStream(): StreamBytes {
  const filling = 'lorem ipsum '.repeat(20).slice(0, Math.max(24, eventBytes - answer('').length))
  return {
    begin: httpChunk(answer('Lorem')),
    content: httpChunk(answer(filling)),
    end: memoize((events) =>
      Buffer.concat([httpChunk(answer('', '"finishReason": "STOP",', events)), Buffer.from('0\r\n\r\n')]),
    ),
  }
}

/** With the blanks that Google writes. */
function answer(text: string, finish = '', tokens = 16): string {
  const content = `{"parts": [{"text": ${JSON.stringify(text)}}],"role": "model"}`
  const details = '[{"modality": "TEXT","tokenCount": 500}]'
  const usage =
    `{"promptTokenCount": 500,"candidatesTokenCount": ${tokens},"totalTokenCount": ${500 + tokens},` +
    `"promptTokensDetails": ${details}}`
  return (
    `data: {"candidates": [{"content": ${content},${finish}"index": 0}],"usageMetadata": ${usage},` +
    '"modelVersion": "load-model","responseId": "LoadServer0123456789abc"}\r\n\r\n'
  )
}
