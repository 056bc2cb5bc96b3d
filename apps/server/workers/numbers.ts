/** Environment variable with the worker's number, from 1 on. A worker keeps its number, and so its folder. */
export const workerVariable = 'TURNPIKE_WORKER'

/** Environment variable with the socket of the process that has the embedded database. */
export const databaseVariable = 'TURNPIKE_DATABASE_SOCKET'
