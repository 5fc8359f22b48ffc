# 214 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3
typedef long unsigned int size_t;
# 152 "/usr/include/x86_64-linux-gnu/bits/types.h" 3
typedef long int __off_t;	
typedef long int __off64_t;	
	
	
	
	
	
		
	
 
 


	
	



























 








	












# 7 "/usr/include/x86_64-linux-gnu/bits/types/FILE.h" 3
typedef struct _IO_FILE FILE;
# 43 "/usr/include/x86_64-linux-gnu/bits/types/struct_FILE.h" 3
typedef void _IO_lock_t;





struct _IO_FILE
{
  int _flags;		


  char *_IO_read_ptr;	
  char *_IO_read_end;	
  char *_IO_read_base;	
  char *_IO_write_base;	
  char *_IO_write_ptr;	
  char *_IO_write_end;	
  char *_IO_buf_base;	
  char *_IO_buf_end;	


  char *_IO_save_base; 
  char *_IO_backup_base;  
  char *_IO_save_end; 

  struct _IO_marker *_markers;

  struct _IO_FILE *_chain;

  int _fileno;
  int _flags2;
  __off_t _old_offset; 


  unsigned short _cur_column;
  signed char _vtable_offset;
  char _shortbuf[1];

  _IO_lock_t *_lock;







  __off64_t _offset;

  struct _IO_codecvt *_codecvt;
  struct _IO_wide_data *_wide_data;
  struct _IO_FILE *_freeres_list;
  void *_freeres_buf;
  size_t __pad5;
  int _mode;

  char _unused2[15 * sizeof (int) - 4 * sizeof (void *) - sizeof (size_t)];
};
# 178 "/usr/include/stdio.h" 3
extern int fclose (FILE *__stream);
# 356 "/usr/include/stdio.h" 3
extern int printf (const char *__restrict __format, ...);




























# 823 "/usr/include/stdio.h" 3
extern int pclose (FILE *__stream);















# 3 "/tmp/fma.c"
volatile double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30, c = -1.0;
int main(void){ double r = a*b + c; {     volatile signed char cupel_1 = (signed char)43;     if (cupel_1 < 43) {         c = (double)65535;     } } {     static volatile int cupel_3 = -78;     if (cupel_3 > -78) {         b = (double)*(double *)0;     } } printf("%a\n", r); 
#pragma STDC FP_CONTRACT ON
 return 0; }
