import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newSigner, type Signer } from '../../../../packages/identity/testing/token-signer.ts'

/** An OpenID issuer that only serves keys: tests sign its tokens themselves. */
export class IssuerServer {
  address = ''
  signer!: Signer
  keys!: Signer['publicJwk'][]
  /** The requested paths, in order. */
  readonly requestedPaths: string[] = []
  readonly #server: Server = createServer(({ url = '/' }, response) => {
    this.requestedPaths.push(url)
    const document = url === '/jwks' ? { keys: this.keys } : this.#metadata
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })

  static async start(): Promise<IssuerServer> {
    const issuer = new IssuerServer()
    await issuer.listen()
    return issuer
  }

  async listen(): Promise<void> {
    this.signer = await newSigner('ES256', 'key-1')
    this.keys = [this.signer.publicJwk]
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
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
