import { eventBytes, httpChunk, memoize, type StreamBytes } from './bytes.ts'

/**
 * The load server's stream in Google's format. It has as many events as OpenAI's, but larger ones, since each
 * contains usage so far, model and identifier, as Google's own events do.
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

/** With the same white space as Google's. */
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
