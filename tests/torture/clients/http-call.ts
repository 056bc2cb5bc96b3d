import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface HttpCall {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  agent: Agent
  /** After this time the client gives the connection up. */
  deadlineMs: number
  /** Called with everything received so far; if it returns true, the client leaves. */
  onProgress?: (text: string) => boolean
  /** The client leaves after this time. */
  leaveAfterMs?: number
}

export interface HttpResult {
  status: number | undefined
  headers: IncomingHttpHeaders
  text: string
  /**
   * `complete`: the answer as its sender framed it. `left`: closed by us. `broken`: closed by the other side,
   * or before it began. `unreached`: the connection was refused, so no node saw the request. `deadline`: none
   * of these in time.
   */
  ending: 'complete' | 'left' | 'broken' | 'unreached' | 'deadline'
}

/** One request over a plain socket, so that we see exactly what broke, and when. Never rejects. */
export function httpCall(call: HttpCall): Promise<HttpResult> {
  return new Promise((resolve) => {
    const result: HttpResult = { status: undefined, headers: {}, text: '', ending: 'broken' }
    const timers: NodeJS.Timeout[] = []
    let over = false
    const end = (ending: HttpResult['ending']): void => {
      if (over) return
      over = true
      for (const timer of timers) clearTimeout(timer)
      result.ending = ending
      if (ending !== 'complete') sent.destroy()
      resolve(result)
    }
    const { port, method, path, headers, agent } = call
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      result.status = answer.statusCode
      result.headers = answer.headers
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        result.text += text
        if (call.onProgress?.(result.text) === true) end('left')
      })
      answer.on('end', () => end(answer.complete ? 'complete' : 'broken'))
      answer.on('error', () => end('broken'))
      answer.on('close', () => end('broken'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ECONNREFUSED' ? 'unreached' : 'broken'),
    )
    timers.push(setTimeout(() => end('deadline'), call.deadlineMs))
    if (call.leaveAfterMs !== undefined) timers.push(setTimeout(() => end('left'), call.leaveAfterMs))
    sent.end(call.body)
  })
}
