import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newSigner, type Signer } from '../../../../packages/identity/testing/token-signer.ts'

/** An OpenID issuer that only serves keys: tests sign its tokens themselves. */
export class IssuerServer {
  readonly address: string
  readonly signer: Signer
  /** The requested paths, in order. */
  readonly asked: string[] = []
  keys: Signer['publicJwk'][]
  #server: Server

  private constructor(server: Server, signer: Signer) {
    this.#server = server
    this.signer = signer
    this.keys = [signer.publicJwk]
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<IssuerServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = new IssuerServer(server, await newSigner('ES256', 'key-1'))
    server.on('request', ({ url = '/' }, response) => {
      issuer.asked.push(url)
      const document = url === '/jwks' ? { keys: issuer.keys } : issuer.#metadata
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    })
    return issuer
  }

  /** A token of this issuer that is valid for an hour, with the given claims replaced. */
  token(claims: Record<string, unknown>, signer: Signer = this.signer, keyId?: string): Promise<string> {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const standard = { iss: this.address, iat: nowSeconds, exp: nowSeconds + 3600 }
    return signer.sign({ ...standard, ...claims }, keyId === undefined ? {} : { kid: keyId })
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get #metadata(): object {
    return {
      issuer: this.address,
      jwks_uri: `${this.address}/jwks`,
      authorization_endpoint: `${this.address}/auth`,
      token_endpoint: `${this.address}/token`,
    }
  }
}
