/* tslint:disable */
/* eslint-disable */

/**
 * Archives that are open.
 */
export class Explorer {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The answer to a GET request of the interface of `ign serve`, such as `/lichess?play=e2e4`.
     */
    answer(path_and_query: string): Reply;
    /**
     * The number of games.
     */
    games(): number;
    /**
     * Why indexes are not used, and archives that are given twice: each is returned once.
     */
    warnings(): string[];
}

/**
 * An archive and its index.
 */
export class Packed {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Takes the bytes of the archive, which are then empty.
     */
    archive(): Uint8Array;
    /**
     * The number of games.
     */
    games(): number;
    /**
     * Takes the bytes of the index, which are then empty.
     */
    index(): Uint8Array;
}

/**
 * An answer.
 */
export class Reply {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The body.
     */
    get body(): Uint8Array;
    /**
     * The body.
     */
    set body(value: Uint8Array | number[]);
    /**
     * The type of the body.
     */
    content_type: string;
    /**
     * The name of a file for the body, if it is to be one.
     */
    get file_name(): string | undefined;
    /**
     * The name of a file for the body, if it is to be one.
     */
    set file_name(value: string | null | undefined);
    /**
     * The status, as in HTTP.
     */
    status: number;
}

/**
 * Opens archives: JSON of
 * `[{"name": "…", "archive": 0, "archive_length": 1000, "index": 1, "index_length": 2000}, …]`. An
 * archive without an index has null.
 *
 * # Errors
 * An archive cannot be read, or is none; a sentence says why.
 */
export function open(sources: string): Explorer;

/**
 * Packs the text of a file of games, which may be compressed, and builds the index. `progress` is
 * called with the part of the work that is done, from 0 to 1; it stops the work if it returns
 * false.
 *
 * # Errors
 * The text cannot be packed, or the work was stopped; a sentence says why.
 */
export function pack(text: Uint8Array | number[], name: string, is_weighted: boolean, progress?: Function | null): Packed;

/**
 * The version of the program.
 */
export function version(): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_explorer_free: (a: number, b: number) => void;
    readonly __wbg_get_reply_body: (a: number) => [number, number];
    readonly __wbg_get_reply_content_type: (a: number) => [number, number];
    readonly __wbg_get_reply_file_name: (a: number) => [number, number];
    readonly __wbg_get_reply_status: (a: number) => number;
    readonly __wbg_packed_free: (a: number, b: number) => void;
    readonly __wbg_reply_free: (a: number, b: number) => void;
    readonly __wbg_set_reply_body: (a: number, b: number, c: number) => void;
    readonly __wbg_set_reply_content_type: (a: number, b: number, c: number) => void;
    readonly __wbg_set_reply_file_name: (a: number, b: number, c: number) => void;
    readonly __wbg_set_reply_status: (a: number, b: number) => void;
    readonly explorer_answer: (a: number, b: number, c: number) => number;
    readonly explorer_games: (a: number) => number;
    readonly explorer_warnings: (a: number) => [number, number];
    readonly open: (a: number, b: number) => [number, number, number];
    readonly pack: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly packed_archive: (a: number) => [number, number];
    readonly packed_games: (a: number) => number;
    readonly packed_index: (a: number) => [number, number];
    readonly version: () => [number, number];
    readonly rust_zstd_wasm_shim_calloc: (a: number, b: number) => number;
    readonly rust_zstd_wasm_shim_free: (a: number) => void;
    readonly rust_zstd_wasm_shim_malloc: (a: number) => number;
    readonly rust_zstd_wasm_shim_memcmp: (a: number, b: number, c: number) => number;
    readonly rust_zstd_wasm_shim_memcpy: (a: number, b: number, c: number) => number;
    readonly rust_zstd_wasm_shim_memmove: (a: number, b: number, c: number) => number;
    readonly rust_zstd_wasm_shim_memset: (a: number, b: number, c: number) => number;
    readonly rust_zstd_wasm_shim_qsort: (a: number, b: number, c: number, d: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
