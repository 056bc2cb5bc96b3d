export { decodeAwsError as decodeError } from '../../vendor-errors/aws-errors.ts'
