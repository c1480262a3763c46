// The objects a script sees. Everything that looks at data or makes a command goes through `host(op, self, args)`;
// what is kept here is identity: private fields tell our objects from look-alikes, whatever a script does to prototypes.
(function (host) {
  'use strict';
  const { defineProperty, getPrototypeOf, freeze, hasOwn } = Object;
  const { apply, construct, get: reflectGet } = Reflect;
  const NativeDate = Date, NativeMap = Map, NativeSet = Set, NativeRegExp = RegExp, NativePromise = Promise, NativeProxy = Proxy;
  const getTime = Date.prototype.getTime, objectPrototype = Object.prototype, isArray = Array.isArray;
  const regexSource = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get;
  const regexFlags = Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get;
  const functionText = Function.prototype.toString;
  const mapForEach = Map.prototype.forEach, setForEach = Set.prototype.forEach;
  const bigint = BigInt, number = Number, string = String, parsed = parseInt;
  let tools;

  const call = (op, self, args) => host(tools, op, self, args);
  const hide = (object, name, value) =>
    defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });

  // Puts private fields on any object, invisible to the script.
  const Stamper = function (object) { return object; };
  class Tag extends Stamper {
    #id;
    constructor(object, id) { super(object); this.#id = id; }
    static of(object) { return #id in object ? object.#id : undefined; }
  }
  class Name extends Stamper {
    #kind; #name; #more;
    constructor(object, kind, name, more) { super(object); this.#kind = kind; this.#name = name; this.#more = more; }
    static kind(object) { return #kind in object ? object.#kind : undefined; }
    static of(object) { return object.#name; }
    static more(object) { return object.#more; }
  }
  class Boxed {
    #kind; #data;
    constructor(kind, data) { this.#kind = kind; this.#data = data; }
    static kind(object) { return #kind in object ? object.#kind : undefined; }
    static data(object) { return object.#data; }
  }
  class Refused extends Stamper {
    #run;
    constructor(object, run) { super(object); this.#run = run; }
    static run(object) { return #run in object ? object.#run : undefined; }
  }

  // ---- BSON types ----
  const types = { __proto__: null };
  const box = (kind, data) => construct(Boxed, [kind, data], types[kind]);
  const dataOf = (object, kind) => {
    if (object === null || typeof object !== 'object' || Boxed.kind(object) !== kind) throw new TypeError('not a ' + kind);
    return Boxed.data(object);
  };
  function type(kind, name, parse, methods, aliases) {
    const holder = { [name](...args) { return box(kind, parse(args)); } };
    const made = function (...args) { return box(kind, parse(args)); };
    hide(made, 'name', name);
    types[kind] = made;
    hide(made.prototype, '_bsontype', name);
    for (const key in methods) hide(made.prototype, key, methods[key]);
    hide(globalThis, name, made);
    if (aliases) for (let i = 0; i < aliases.length; i++) hide(globalThis, aliases[i], made);
    return made;
  }
  const text = (kind) => function () { return call('bson.text', undefined, [box(kind, dataOf(this, kind))]); };
  const bson = (op) => (args) => call(op, undefined, args);

  const ObjectId = type('oid', 'ObjectId', bson('bson.oid'), {
    toString() { return dataOf(this, 'oid'); },
    toHexString() { return dataOf(this, 'oid'); },
    valueOf() { return dataOf(this, 'oid'); },
    toJSON() { return dataOf(this, 'oid'); },
    equals(other) { return string(other) === dataOf(this, 'oid'); },
    getTimestamp() { return new NativeDate(number('0x' + dataOf(this, 'oid').slice(0, 8)) * 1000); },
  });
  hide(ObjectId, 'isValid', (value) => { try { return call('bson.oid', undefined, [value]) !== undefined; } catch { return false; } });
  hide(ObjectId, 'createFromHexString', (value) => new ObjectId(value));
  hide(ObjectId, 'createFromTime', (value) => new ObjectId(call('bson.oidAt', undefined, [value])));

  const long = (value) => bigint.asIntN(64, typeof value === 'bigint' ? value : call('bson.long', undefined, [value]));
  const longOf = (value) => {
    if (value !== null && typeof value === 'object' && Boxed.kind(value) === 'long') return Boxed.data(value);
    return long(value);
  };
  const longs = (operate) => function (other) { return box('long', bigint.asIntN(64, operate(dataOf(this, 'long'), longOf(other)))); };
  const longTest = (test) => function (other) { return test(dataOf(this, 'long'), longOf(other)); };
  const plus = longs((a, b) => a + b), minus = longs((a, b) => a - b), times = longs((a, b) => a * b);
  const over = longs((a, b) => a / b), rest = longs((a, b) => a % b);
  const same = longTest((a, b) => a === b), below = longTest((a, b) => a < b), above = longTest((a, b) => a > b);
  const atMost = longTest((a, b) => a <= b), atLeast = longTest((a, b) => a >= b);
  const Long = type('long', 'Long', (args) => long(args.length ? args[0] : 0), {
    toString() { return string(dataOf(this, 'long')); },
    toNumber() { return number(dataOf(this, 'long')); },
    toInt() { return number(bigint.asIntN(32, dataOf(this, 'long'))); },
    toBigInt() { return dataOf(this, 'long'); },
    toJSON() { return { $numberLong: string(dataOf(this, 'long')) }; },
    add: plus, sub: minus, subtract: minus, mul: times, multiply: times, div: over, divide: over, mod: rest, modulo: rest,
    eq: same, equals: same, lt: below, lessThan: below, gt: above, greaterThan: above,
    lte: atMost, lessThanOrEqual: atMost, gte: atLeast, greaterThanOrEqual: atLeast,
    compare(other) { const a = dataOf(this, 'long'), b = longOf(other); return a < b ? -1 : a > b ? 1 : 0; },
    isZero() { return dataOf(this, 'long') === 0n; },
    isNegative() { return dataOf(this, 'long') < 0n; },
    neg() { return box('long', bigint.asIntN(64, -dataOf(this, 'long'))); },
  }, ['NumberLong']);
  hide(Long, 'fromString', (value) => new Long(value));
  hide(Long, 'fromNumber', (value) => new Long(value));
  hide(Long, 'fromBigInt', (value) => new Long(value));
  hide(Long, 'fromInt', (value) => new Long(value));
  hide(Long, 'MAX_VALUE', box('long', 9223372036854775807n));
  hide(Long, 'MIN_VALUE', box('long', -9223372036854775808n));

  const numeric = (kind) => ({
    valueOf() { return dataOf(this, kind); },
    toString() { return string(dataOf(this, kind)); },
    toJSON() { return dataOf(this, kind); },
  });
  // mongosh reads a text as `parseInt` does: up to the first sign that is no digit.
  const int = (value) => (typeof value === 'string' ? parsed(value, 10) : number(value)) | 0;
  type('int', 'Int32', (args) => int(args.length ? args[0] : 0), numeric('int'), ['NumberInt']);
  type('double', 'Double', (args) => number(args.length ? args[0] : 0), numeric('double'));
  type('decimal', 'Decimal128', bson('bson.decimal'), {
    toString() { return dataOf(this, 'decimal'); },
    toJSON() { return { $numberDecimal: dataOf(this, 'decimal') }; },
  }, ['NumberDecimal']);
  const binaryMethods = {
    toString(encoding) { return call('bson.bytes', undefined, [dataOf(this, 'bin')[1], encoding]); },
    toJSON() { return dataOf(this, 'bin')[1]; },
    base64() { return dataOf(this, 'bin')[1]; },
    length() { return call('bson.length', undefined, [dataOf(this, 'bin')[1]]); },
    subtype() { return dataOf(this, 'bin')[0]; },
    toUUID() { return this; },
  };
  const Binary = type('bin', 'Binary', bson('bson.binary'), binaryMethods);
  hide(Binary, 'createFromBase64', (text, subtype) => box('bin', call('bson.binData', undefined, [subtype === undefined ? 0 : subtype, text])));
  hide(Binary, 'createFromHexString', (text, subtype) => box('bin', call('bson.hexData', undefined, [subtype === undefined ? 0 : subtype, text])));
  const callable = (name, op) => {
    const made = function (...args) { return box('bin', call(op, undefined, args)); };
    hide(made, 'name', name);
    hide(globalThis, name, made);
  };
  callable('BinData', 'bson.binData');
  callable('HexData', 'bson.hexData');
  callable('MD5', 'bson.md5');
  callable('UUID', 'bson.uuid');
  type('ts', 'Timestamp', bson('bson.timestamp'), {
    toString() { const [t, i] = dataOf(this, 'ts'); return string((bigint(t) << 32n) | bigint(i)); },
    getHighBits() { return dataOf(this, 'ts')[0]; },
    getLowBits() { return dataOf(this, 'ts')[1]; },
    toJSON() { const [t, i] = dataOf(this, 'ts'); return { $timestamp: { t, i } }; },
  });
  for (const [name, at] of [['t', 0], ['i', 1]]) {
    defineProperty(types.ts.prototype, name, { get() { return dataOf(this, 'ts')[at]; }, enumerable: false, configurable: true });
  }
  type('min', 'MinKey', () => 0, { toJSON() { return { $minKey: 1 }; } });
  type('max', 'MaxKey', () => 0, { toJSON() { return { $maxKey: 1 }; } });
  type('symbol', 'BSONSymbol', (args) => string(args[0]), { toString() { return dataOf(this, 'symbol'); }, valueOf() { return dataOf(this, 'symbol'); } });
  type('regex', 'BSONRegExp', (args) => [string(args[0]), args[1] === undefined ? '' : string(args[1])], {});
  type('code', 'Code', (args) => [typeof args[0] === 'function' ? string(args[0]) : string(args[0]), args[1]], {});
  hide(globalThis, 'DBRef', function DBRef(collection, id, database) {
    const made = { $ref: collection, $id: id };
    if (database !== undefined) made.$db = database;
    return made;
  });

  // ---- dates and chance come from the sandbox ----
  const ClockDate = function Date(...args) {
    if (new.target === undefined) return string(new NativeDate(call('now', undefined, [])));
    return construct(NativeDate, args.length ? args : [call('now', undefined, [])], new.target === ClockDate ? NativeDate : new.target);
  };
  ClockDate.prototype = NativeDate.prototype;
  hide(NativeDate.prototype, 'constructor', ClockDate);
  hide(ClockDate, 'UTC', NativeDate.UTC);
  hide(ClockDate, 'parse', NativeDate.parse);
  hide(ClockDate, 'now', () => call('now', undefined, []));
  hide(globalThis, 'Date', ClockDate);
  hide(Math, 'random', () => call('random', undefined, []));
  hide(globalThis, 'ISODate', function ISODate(...args) {
    return new NativeDate(args.length ? call('isoDate', undefined, args) : call('now', undefined, []));
  });

  // ---- errors ----
  const errors = { __proto__: null }, NativeError = Error, NativeSyntaxError = SyntaxError;
  const errorKind = (name, base) => {
    errors[name] = class extends base {
      constructor(message) { super(message); }
    };
    hide(errors[name], 'name', name);
    hide(errors[name].prototype, 'name', name);
    hide(globalThis, name, errors[name]);
  };
  errorKind('MongoError', Error);
  errorKind('MongoServerError', errors.MongoError);
  for (const name of ['MongoBulkWriteError', 'MongoInvalidArgumentError', 'MongoCursorExhaustedError', 'MongoCursorInUseError']) errorKind(name, errors.MongoError);
  for (const name of ['MongoshInvalidInputError', 'MongoshUnimplementedError', 'MongoshRuntimeError', 'BSONError', 'MongoshLimitError']) errorKind(name, Error);
  const raise = (name, message, more, run) => {
    const error = new (errors[name] || (name === 'Error' ? NativeError : name === 'SyntaxError' ? NativeSyntaxError : TypeError))(message);
    for (const key in more) if (hasOwn(more, key)) hide(error, key, more[key]);
    return run === undefined ? error : new Refused(error, run);
  };

  // ---- cursors ----
  class Cursor {
    #maps = [];
    #pull(op) {
      let value = call(op, this, []);
      if (value !== undefined && value !== null) for (let i = 0; i < this.#maps.length; i++) value = this.#maps[i](value);
      return value;
    }
    hasNext() { return call('cursor.hasNext', this, []); }
    next() { return this.#pull('cursor.next'); }
    tryNext() { return this.#pull('cursor.tryNext'); }
    toArray() {
      const all = call('cursor.toArray', this, []);
      if (!this.#maps.length) return all;
      for (let i = 0; i < all.length; i++) {
        let value = all[i];
        for (let m = 0; m < this.#maps.length; m++) value = this.#maps[m](value);
        all[i] = value;
      }
      return all;
    }
    forEach(visit) {
      if (typeof visit !== 'function') throw raise('MongoInvalidArgumentError', 'Argument "iterator" must be a function');
      while (call('cursor.hasNext', this, [])) if (visit(this.next()) === false) break;
    }
    map(change) {
      if (typeof change !== 'function') throw raise('MongoInvalidArgumentError', 'Argument "transform" must be a function');
      call('cursor.unstarted', this, ['map']);
      this.#maps[this.#maps.length] = change;
      return this;
    }
    [Symbol.iterator]() {
      return {
        next: () => {
          if (!call('cursor.hasNext', this, [])) return { value: undefined, done: true };
          return { value: this.next(), done: false };
        },
        [Symbol.iterator]() { return this; },
      };
    }
    static mapped(cursor) { return #maps in cursor && cursor.#maps.length > 0; }
  }
  const chained = (proto, names) => {
    for (let i = 0; i < names.length; i++) {
      hide(proto, names[i], { [names[i]](...args) { call('cursor.' + names[i], this, args); return this; } }[names[i]]);
    }
  };
  const answering = (proto, prefix, names) => {
    for (let i = 0; i < names.length; i++) {
      hide(proto, names[i], { [names[i]](...args) { return call(prefix + names[i], this, args); } }[names[i]]);
    }
  };
  const cursor = (self, made) => new Name(construct(Cursor, [], made.explained ? ExplainCursor : made.aggregate ? AggregationCursor : FindCursor), 'cursor', made.id, 0);
  const FindCursor = function Cursor_() {};
  FindCursor.prototype = Object.create(Cursor.prototype);
  const AggregationCursor = function AggregationCursor() {};
  AggregationCursor.prototype = Object.create(Cursor.prototype);
  const ExplainCursor = function ExplainableCursor() {};
  ExplainCursor.prototype = Object.create(FindCursor.prototype);
  hide(FindCursor, 'name', 'Cursor');
  for (const made of [FindCursor, AggregationCursor, ExplainCursor]) hide(made.prototype, 'constructor', made);
  chained(Cursor.prototype, ['batchSize', 'pretty', 'maxTimeMS', 'comment']);
  chained(FindCursor.prototype, ['sort', 'limit', 'skip', 'project', 'projection', 'hint', 'min', 'max', 'collation', 'returnKey',
    'showRecordId', 'allowDiskUse', 'noCursorTimeout', 'allowPartialResults', 'maxAwaitTimeMS', 'disableBlockWarnings', 'let']);
  chained(AggregationCursor.prototype, ['sort', 'skip', 'projection', 'disableBlockWarnings']);
  answering(Cursor.prototype, 'cursor.', ['itcount', 'close', 'isClosed', 'isExhausted', 'objsLeftInBatch', 'explain', 'help']);
  answering(FindCursor.prototype, 'cursor.', ['count', 'size']);
  hide(ExplainCursor.prototype, 'finish', function finish() { return call('cursor.finish', this, []); });

  // ---- collections and databases ----
  const found = (target, key) => key in target;
  const named = (kind, proto, child) => {
    const handler = {
      get(target, key, receiver) {
        if (typeof key === 'symbol' || found(target, key)) return reflectGet(target, key, receiver);
        return child(receiver, key);
      },
    };
    const known = { __proto__: null };
    return (name, more) => {
      const key = more === undefined ? name : more + '\0' + name;
      return known[key] = known[key] || new Name(new NativeProxy(Object.create(proto), handler), kind, name, more);
    };
  };
  class Collection {}
  class Database {}
  const collection = named('collection', Collection.prototype, (self, key) => {
    if (key === 'then' || key === 'toJSON') return undefined;
    return collection(Name.of(self) + '.' + key, Name.more(self));
  });
  const database = named('database', Database.prototype, (self, key) => {
    if (key === 'then' || key === 'toJSON') return undefined;
    return collection(key, Name.of(self));
  });
  answering(Collection.prototype, 'collection.', ['findOne', 'countDocuments', 'count', 'estimatedDocumentCount', 'distinct',
    'insertOne', 'insertMany', 'insert', 'updateOne', 'updateMany', 'update', 'replaceOne', 'deleteOne', 'deleteMany', 'remove',
    'findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'findAndModify', 'bulkWrite', 'createIndex', 'createIndexes',
    'ensureIndex', 'getIndexes', 'getIndices', 'getIndexKeys', 'getIndexSpecs', 'dropIndex', 'dropIndexes', 'hideIndex',
    'unhideIndex', 'totalIndexSize', 'totalSize', 'dataSize', 'storageSize', 'stats', 'drop', 'exists', 'isCapped',
    'renameCollection', 'runCommand', 'getName', 'getFullName', 'help']);
  answering(Database.prototype, 'database.', ['getName', 'getCollectionNames', 'createCollection', 'dropDatabase', 'stats',
    'runCommand', 'adminCommand', 'getCollectionInfos', 'version', 'help']);
  hide(Collection.prototype, 'find', function find(...args) { return cursor(this, call('collection.find', this, args)); });
  hide(Collection.prototype, 'aggregate', function aggregate(...args) {
    const made = call('collection.aggregate', this, args);
    return made.id === undefined ? made.value : cursor(this, made);
  });
  hide(Collection.prototype, 'toString', function () { return call('collection.getFullName', this, []); });
  hide(Collection.prototype, 'getDB', function getDB() { return database(Name.more(this)); });
  hide(Collection.prototype, 'getCollection', function getCollection(name) { return collection(Name.of(this) + '.' + name, Name.more(this)); });
  hide(Database.prototype, 'aggregate', function aggregate(...args) {
    const made = call('database.aggregate', this, args);
    return made.id === undefined ? made.value : cursor(this, made);
  });
  hide(Database.prototype, 'toString', function () { return Name.of(this); });
  hide(Database.prototype, 'getCollection', function getCollection(...args) {
    return collection(call('database.collectionName', this, args), Name.of(this));
  });
  hide(Database.prototype, 'getSiblingDB', function getSiblingDB(...args) { return database(call('database.sibling', this, args)); });

  class Explainable {}
  answering(Explainable.prototype, 'explainable.', ['aggregate', 'count', 'countDocuments', 'distinct', 'update', 'updateOne',
    'updateMany', 'replaceOne', 'remove', 'deleteOne', 'deleteMany', 'findAndModify', 'findOneAndUpdate', 'findOneAndReplace',
    'findOneAndDelete', 'findOne', 'getVerbosity', 'setVerbosity', 'getCollection', 'help']);
  hide(Explainable.prototype, 'find', function find(...args) { return cursor(this, call('explainable.find', this, args)); });
  hide(Collection.prototype, 'explain', function explain(...args) {
    return new Name(new Explainable(), 'explainable', Name.of(this), call('explainable.verbosity', this, args));
  });
  class PlanCache {}
  answering(PlanCache.prototype, 'planCache.', ['list', 'clear', 'clearPlansByQuery', 'help']);
  hide(Collection.prototype, 'getPlanCache', function getPlanCache() { return new Name(new PlanCache(), 'planCache', Name.of(this), 0); });

  // ---- what the host asks of values ----
  const tag = (id, value) => id < 0 ? call('statement', undefined, [-id - 1]) : new Tag(value, id);
  defineProperty(globalThis, '__tag', { value: tag, writable: false, enumerable: false, configurable: false });
  defineProperty(globalThis, '__at', { value: undefined, writable: true, enumerable: false, configurable: false });
  defineProperty(globalThis, '__wait', { value: (value) => call('wait', undefined, [value]), writable: false, enumerable: false, configurable: false });

  // A function prints as it was typed.
  hide(Function.prototype, 'toString', { toString() { return call('typed', undefined, [apply(functionText, this, [])]); } }.toString);

  // Tells plain objects (their tag, or undefined) from all others (`[kind, data…]`).
  const probe = (object) => {
    const id = Tag.of(object);
    if (id !== undefined) return id;
    const kind = Boxed.kind(object);
    if (kind !== undefined) return [kind, Boxed.data(object)];
    const name = Name.kind(object);
    if (name !== undefined) return [name, Name.of(object), Name.more(object), name === 'cursor' && Cursor.mapped(object)];
    if (isArray(object)) return undefined;
    const proto = getPrototypeOf(object);
    if (proto === objectPrototype || proto === null) return undefined;
    try { return ['date', apply(getTime, object, [])]; } catch { }
    if (typeof object === 'function') {
      // mongosh takes these two without the call.
      const key = object === types.min ? 'min' : object === types.max ? 'max' : undefined;
      return ['function', object.name, apply(functionText, object, []), key];
    }
    if (object instanceof NativeRegExp) return ['regexp', apply(regexSource, object, []), apply(regexFlags, object, [])];
    if (object instanceof Error) return ['error', Refused.run(object)];
    if (object instanceof NativeMap) {
      const keys = [], values = [];
      apply(mapForEach, object, [(value, key) => { keys[keys.length] = key; values[values.length] = value; }]);
      return ['map', keys, values];
    }
    if (object instanceof NativeSet) {
      const values = [];
      apply(setForEach, object, [(value) => { values[values.length] = value; }]);
      return ['set', values];
    }
    if (object instanceof NativePromise) return ['promise'];
    if (object instanceof number || object instanceof string || object instanceof Boolean) return ['primitive', object.valueOf()];
    const maker = object.constructor;
    return typeof maker === 'function' && maker !== Object ? ['instance', maker.name] : undefined;
  };
  const date = (millis) => new NativeDate(millis);
  const regexp = (pattern, flags) => { try { return new NativeRegExp(pattern, flags); } catch { return box('regex', [pattern, flags]); } };
  const trace = () => { try { return string(new NativeError().stack); } catch { return ''; } };
  class PlainText { toString() { return Name.of(this); } }
  const plainText = (value) => new Name(new PlainText(), 'text', value, 0);
  const describe = (value) => {
    if (typeof value === 'bigint') return string(value) + 'n';
    if (typeof value === 'symbol') return string(value);
    if (typeof value === 'number') return value === 0 && 1 / value < 0 ? '-0' : string(value);
    if (value instanceof NativeError) return '[' + value.name + ': ' + value.message + ']';
    return '[' + Name.kind(value) + ']';
  };
  tools = freeze({ __proto__: null, probe, box, date, regexp, raise, trace, describe, text: plainText });

  // ---- global helpers ----
  const global = (name, value) => hide(globalThis, name, value);
  for (const name of ['tojson', 'isInteractive']) {
    global(name, { [name](...args) { return call(name, undefined, args); } }[name]);
  }
  // A cursor is printed as the documents that the prompt would show of it.
  const printable = (value) => {
    if (value === null || typeof value !== 'object' || Name.kind(value) !== 'cursor') return value;
    const shown = [];
    while (shown.length < 20 && call('cursor.hasNext', value, [])) shown[shown.length] = apply(next, value, []);
    return shown;
  };
  const next = Cursor.prototype.next;
  for (const name of ['print', 'printjson']) {
    global(name, { [name](...args) {
      for (let i = 0; i < args.length; i++) args[i] = printable(args[i]);
      return call(name, undefined, args);
    } }[name]);
  }
  const console = {};
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'table', 'dir', 'clear']) {
    hide(console, name, { [name](...args) { return call('console.' + name, undefined, args); } }[name]);
  }
  global('console', console);
  const EJSON = {};
  for (const name of ['parse', 'stringify', 'serialize', 'deserialize']) {
    hide(EJSON, name, { [name](...args) { return call('ejson.' + name, undefined, args); } }[name]);
  }
  global('EJSON', EJSON);
  global('use', function use(name) { const answer = call('use', undefined, name === undefined ? [] : [name]); global('db', database(call('database.current', undefined, []))); return answer; });
  global('show', function show(what) { return call('show', undefined, [what]); });
  global('help', function help() { return call('help', undefined, []); });
  defineProperty(globalThis, 'it', { get() { const made = call('it', undefined, []); return typeof made === 'string' || isArray(made) ? made : cursor(undefined, made); }, set(value) { hide(globalThis, 'it', value); }, enumerable: false, configurable: true });
  for (const name of ['quit', 'exit']) global(name, { [name](code) { return call('quit', undefined, code === undefined ? [] : [code]); } }[name]);
  const elsewhere = (object, kind) => {
    for (const name of call('elsewhere', undefined, [kind])) {
      if (!hasOwn(object, name)) hide(object, name, { [name]() { throw raise('MongoshUnimplementedError', call('missing', undefined, [kind, name])); } }[name]);
    }
  };
  elsewhere(globalThis, 'global');
  elsewhere(Collection.prototype, 'collection');
  elsewhere(Database.prototype, 'database');
  elsewhere(Cursor.prototype, 'cursor');
  for (const name of ['rs', 'sh']) {
    const object = {};
    elsewhere(object, name);
    global(name, object);
  }
  for (const name of ['performance', 'navigator', 'gc']) delete globalThis[name];
  global('db', database(call('database.current', undefined, [])));

  return tools;
})
