import { beforeAll } from 'vitest'
import { IssuerServer } from './issuer-server.ts'

/** An external issuer for a suite of tests. */
export function suiteIssuer(): IssuerServer {
  const issuer = new IssuerServer()
  beforeAll(async () => {
    await issuer.listen()
    return () => issuer.stop()
  })
  return issuer
}
