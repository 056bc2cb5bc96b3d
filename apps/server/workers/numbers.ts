/** In a worker's environment: which one it is, from 1 on. It keeps its number, and with it its folder. */
export const workerVariable = 'TURNPIKE_WORKER'

/** In a worker's environment: where the process is asked that has the embedded database. */
export const databaseVariable = 'TURNPIKE_DATABASE_SOCKET'
