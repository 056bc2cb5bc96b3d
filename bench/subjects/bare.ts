import { freePort, startChild } from '../child.ts'
import { chatBody, requestBytes, vendorPath, type Shape } from '../client/request-bytes.ts'
import { nodeArguments, runningSubject, type Subject } from './subject.ts'

const script = new URL('../peers/bare-proxy.ts', import.meta.url).pathname

/** `node:http` and `undici` without any feature: the subject that all others are compared with. */
export function bareProxy(vendorPort: number): Subject {
  return {
    name: 'bare',
    description: 'node:http + undici proxy without features; a translated stream it relays as it comes',
    async start() {
      const port = await freePort()
      const child = startChild(process.execPath, [
        ...nodeArguments,
        script,
        `--port=${port}`,
        `--origin=http://127.0.0.1:${vendorPort}`,
      ])
      const target = forwarding(port)
      return runningSubject({ child, port, readyPath: '/', isNode: true, target })
    },
  }
}

/** How to send requests to a proxy that forwards the path unchanged, or to the load server itself. */
export function forwarding(port: number) {
  return (shape: Shape) => {
    const path = vendorPath(shape)
    const body = chatBody('load-model', shape !== 'plain')
    return { port, request: requestBytes(port, path, { authorization: 'Bearer bench' }, body) }
  }
}
