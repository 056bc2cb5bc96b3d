/** Bytes of invalid responses, created once. */
export const faultAnswers = {
  refusals: {
    '429': answer('429 Too Many Requests', 'Slow down.', 'retry-after: 1\r\n'),
    '500': answer('500 Internal Server Error', 'Something went wrong.'),
    '503': answer('503 Service Unavailable', 'No capacity.'),
  },
  malformed: {
    plain: whole('200 OK', 'application/json', '{"id":"x","choi'),
    stream: whole('200 OK', 'text/event-stream', 'data: {"id":"x","choi\n\n'),
  },
  json: (body: string): Buffer => whole('200 OK', 'application/json', body),
}

function answer(status: string, message: string, headers = ''): Buffer {
  return whole(status, 'application/json', JSON.stringify({ error: { message } }), headers)
}

function whole(status: string, type: string, body: string, headers = ''): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${headers}content-length: ${length}\r\n\r\n${body}`,
  )
}
