; What LLVM calls for numbers of 128 bits, which wasm32 has no instructions for, and Numba's nextafter.

define i128 @__ashlti3(i128 %x, i32 %by) {
  %low = trunc i128 %x to i64
  %high.wide = lshr i128 %x, 64
  %high = trunc i128 %high.wide to i64
  %n = zext i32 %by to i64
  %small = icmp ult i64 %n, 64
  %part = and i64 %n, 63
  %l = shl i64 %low, %part
  %h = call i64 @llvm.fshl.i64(i64 %high, i64 %low, i64 %part)
  %r.low = select i1 %small, i64 %l, i64 0
  %r.high = select i1 %small, i64 %h, i64 %l
  %r = call i128 @pair(i64 %r.low, i64 %r.high)
  ret i128 %r
}

define i128 @__lshrti3(i128 %x, i32 %by) {
  %low = trunc i128 %x to i64
  %high.wide = lshr i128 %x, 64
  %high = trunc i128 %high.wide to i64
  %n = zext i32 %by to i64
  %small = icmp ult i64 %n, 64
  %part = and i64 %n, 63
  %h = lshr i64 %high, %part
  %l = call i64 @llvm.fshr.i64(i64 %high, i64 %low, i64 %part)
  %r.low = select i1 %small, i64 %l, i64 %h
  %r.high = select i1 %small, i64 %h, i64 0
  %r = call i128 @pair(i64 %r.low, i64 %r.high)
  ret i128 %r
}

define i128 @__ashrti3(i128 %x, i32 %by) {
  %low = trunc i128 %x to i64
  %high.wide = lshr i128 %x, 64
  %high = trunc i128 %high.wide to i64
  %n = zext i32 %by to i64
  %small = icmp ult i64 %n, 64
  %part = and i64 %n, 63
  %sign = ashr i64 %high, 63
  %h = ashr i64 %high, %part
  %l = call i64 @llvm.fshr.i64(i64 %high, i64 %low, i64 %part)
  %r.low = select i1 %small, i64 %l, i64 %h
  %r.high = select i1 %small, i64 %h, i64 %sign
  %r = call i128 @pair(i64 %r.low, i64 %r.high)
  ret i128 %r
}

define i128 @__multi3(i128 %x, i128 %y) {
  %a = trunc i128 %x to i64
  %x.high = lshr i128 %x, 64
  %b = trunc i128 %x.high to i64
  %c = trunc i128 %y to i64
  %y.high = lshr i128 %y, 64
  %d = trunc i128 %y.high to i64
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %c0 = and i64 %c, 4294967295
  %c1 = lshr i64 %c, 32
  %p00 = mul i64 %a0, %c0
  %p01 = mul i64 %a0, %c1
  %p10 = mul i64 %a1, %c0
  %p11 = mul i64 %a1, %c1
  %p00.high = lshr i64 %p00, 32
  %p01.low = and i64 %p01, 4294967295
  %p10.low = and i64 %p10, 4294967295
  %m0 = add i64 %p00.high, %p01.low
  %m1 = add i64 %m0, %p10.low
  %m1.shifted = shl i64 %m1, 32
  %p00.low = and i64 %p00, 4294967295
  %r.low = or i64 %m1.shifted, %p00.low
  %p01.high = lshr i64 %p01, 32
  %p10.high = lshr i64 %p10, 32
  %m1.high = lshr i64 %m1, 32
  %h0 = add i64 %p11, %p01.high
  %h1 = add i64 %h0, %p10.high
  %h2 = add i64 %h1, %m1.high
  %ad = mul i64 %a, %d
  %bc = mul i64 %b, %c
  %h3 = add i64 %h2, %ad
  %r.high = add i64 %h3, %bc
  %r = call i128 @pair(i64 %r.low, i64 %r.high)
  ret i128 %r
}

define double @numba_nextafter(double %x, double %y) {
  %unordered = fcmp uno double %x, %y
  br i1 %unordered, label %nan, label %ordered
nan:
  %sum = fadd double %x, %y
  ret double %sum
ordered:
  %equal = fcmp oeq double %x, %y
  br i1 %equal, label %same, label %different
same:
  ret double %y
different:
  %zero = fcmp oeq double %x, 0.0
  br i1 %zero, label %tiny, label %step
tiny:
  %above = fcmp ogt double %y, 0.0
  %smallest = select i1 %above, i64 1, i64 -9223372036854775807
  %smallest.double = bitcast i64 %smallest to double
  ret double %smallest.double
step:
  %bits = bitcast double %x to i64
  %up = fcmp olt double %x, %y
  %positive = fcmp ogt double %x, 0.0
  %away = xor i1 %up, %positive
  %delta = select i1 %away, i64 -1, i64 1
  %next = add i64 %bits, %delta
  %r = bitcast i64 %next to double
  ret double %r
}

define internal i128 @pair(i64 %low, i64 %high) alwaysinline {
  %l = zext i64 %low to i128
  %h = zext i64 %high to i128
  %shifted = shl i128 %h, 64
  %r = or i128 %shifted, %l
  ret i128 %r
}

declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
