/** The parts of undici that calls use: loading all of it takes 0.1 s of a start. */

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'

  export default buildConnector
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'

  export default errors
}
